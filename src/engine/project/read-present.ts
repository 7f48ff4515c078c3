import {
  diskFailure,
  errnoOf,
  listDirectory,
  listForScan,
  lstatPath,
  nameText,
  readValue,
  spellsGit,
  splitLast,
  tryInDirectory,
  type Found,
  type PinnedRoot,
} from '#disk'
import { Failure } from '#failure'
import type { ContentId, Contents, ProjectPath, Value } from '#timeline'
import { isAgreed } from './agreed-directories.ts'
import { isIn } from './annexes.ts'
import { isGoneOutside } from './watched-directories.ts'
import type { Project } from './project.ts'

/** Why a file outside of the project is unknown. */
export const NOT_AGREED = 'it is in a directory that you have not agreed to'

/**
 * What stands at a path now, as a value; its bytes become known to `contents`. What may not be read
 * is unknown: plans name it and leave it alone. A disk that fails makes the whole plan fail.
 */
export function readPresent(project: Project, path: ProjectPath, contents: Contents): Value {
  const found = isAgreed(project, path)
    ? tryRead(project.root, path)
    : isGoneOutside(project, path)
      ? 'its directory is gone'
      : NOT_AGREED
  if (typeof found === 'string') return { kind: 'unknown', why: found }
  switch (found.kind) {
    case 'file':
      contents.add(found.bytes)
      return { kind: 'file', content: found.content as ContentId, mode: found.mode }
    case 'symlink':
      return { kind: 'symlink', target: found.target }
    case 'absent':
      return found
    case 'directory':
      // Nothing of a file's kind stands there; that a directory does is seen by its entries.
      return { kind: 'absent' }
    case 'special':
      return { kind: 'unknown', why: 'it is a special file' }
  }
}

/** A file that is not read is not absent: nothing may be concluded from it (sem.A6). */
function tryRead(root: PinnedRoot, path: ProjectPath): Found | string {
  try {
    return readValue(root, path)
  } catch (error) {
    if (error instanceof Failure) return error.message.replace(/\.$/u, '')
    if (isForbidden(error))
      return `it cannot be read (\`chmod u+r\` makes it readable if it is yours)`
    throw diskFailure(error, path)
  }
}

function isForbidden(error: unknown): boolean {
  return errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM'
}

/** The same where no operation depends on it. */
export function lookAtPresent(project: Project, path: ProjectPath, contents: Contents): Value {
  try {
    return readPresent(project, path, contents)
  } catch (error) {
    if (error instanceof Failure) return { kind: 'unknown', why: error.message }
    throw error
  }
}

/** What may not be listed collides with nothing we know of; applying looks again. */
function tryList(root: PinnedRoot, directory: string): ReturnType<typeof listForScan> | null {
  try {
    return tryInDirectory(root, directory, (pinned) => listForScan(nameText(pinned.at('.'))))
  } catch (error) {
    if (isForbidden(error)) return null
    throw error
  }
}

/** One file below is enough to keep a directory; nobody needs all of them. */
const MOST_BELOW = 10_000

/**
 * Whether the project's volume takes names for one that differ in case alone. Seen at a name that
 * is there: its other spelling leads to the same file, or to none. Without a name to try, it does.
 */
export function foldsNames(project: string): boolean {
  const names = [...listDirectory(project).map(({ name }) => `${project}/${name}`), project]
  for (const path of names) {
    const { parent, name } = splitLast(path)
    const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()
    const [one, two] = [lstatPath(path), lstatPath(`${parent}/${other}`)]
    if (other !== name && one !== null) return two?.ino === one.ino && two.dev === one.dev
  }
  return true
}

/** The innermost: outer ones do not enter it. */
function annexAround({ annexes }: PinnedRoot, path: string): string | null {
  const around = annexes.filter((annex) => isIn(annex.path, path)).map((annex) => annex.path)
  return around.toSorted((a, b) => b.length - a.length)[0] ?? null
}

/**
 * The files and links that planned paths could collide with: what stands where one of their
 * parents should be, beside them, and below them. Not the whole tree: the cost of a plan follows
 * what it changes.
 */
export function readNeighbours({ root }: Project, paths: readonly ProjectPath[]): ProjectPath[] {
  const found = new Set<string>()
  /** Whether all of it was listed, or its own entries alone. */
  const seen = new Map<string, boolean>()
  const list = (directory: string, isDeep = false): void => {
    if (seen.get(directory) === true || (seen.has(directory) && !isDeep)) return
    seen.set(directory, isDeep)
    const entries = tryList(root, directory)
    for (const { name, isDirectory } of entries ?? []) {
      const path = directory === '' ? name : `${directory}/${name}`
      // A repository is never entered, and its directory never goes: it counts like a file.
      if (!isDirectory || spellsGit(name)) found.add(path)
      else if (isDeep && found.size < MOST_BELOW) list(path, isDeep)
    }
  }
  for (const path of paths) {
    const annex = path.startsWith('/') ? annexAround(root, path) : ''
    // Nothing is known of what lies around a file outside that is in no open directory.
    if (annex === null) continue
    const parts = path.slice(annex.length).split('/').filter(Boolean)
    for (let depth = 0; depth < parts.length; depth++)
      list([annex, ...parts.slice(0, depth)].filter(Boolean).join('/'))
    // A directory where a file has to stand must hold nothing at all, at any depth.
    list(path, true)
  }
  return [...found] as ProjectPath[]
}
