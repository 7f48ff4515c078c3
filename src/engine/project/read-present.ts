import {
  diskFailure,
  errnoOf,
  exactRoot,
  listForScan,
  nameText,
  readValue,
  spellsGit,
  tryInDirectory,
  type FoundEntry,
  type PinnedRoot,
} from '#disk'
import { Failure } from '#failure'
import { LEFT_OUT_WORDS } from '#snapshots'
import type { ContentId, Contents, ProjectPath, Value } from '#timeline'
import { isAgreed } from './agreed-directories.ts'
import { isIn } from './annexes.ts'
import { isGoneOutside } from './watched-directories.ts'
import type { Project } from './project.ts'

/** Why the content of a file outside the project is unknown. */
export const NOT_AGREED = 'it is in a directory that you have not agreed to'

/**
 * The present value of a path; adds its bytes to `contents`. A file that must not or cannot be read
 * is unknown: plans list it and leave it alone. A failing disk fails the whole plan.
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
      // There is no file here. The directory itself is found through its entries.
      return { kind: 'absent' }
    case 'special':
      return { kind: 'unknown', why: 'it is a special file' }
  }
}

/** An unreadable file is not absent: nothing may be concluded from it (sem.A6). */
function tryRead(root: PinnedRoot, path: ProjectPath): FoundEntry | string {
  try {
    return readValue(exactRoot(root), path)
  } catch (error) {
    if (isMount(error)) return LEFT_OUT_WORDS['other-file-system']
    if (error instanceof Failure) return error.message.replace(/\.$/u, '')
    if (isForbidden(error))
      return `it cannot be read (\`chmod u+r\` makes it readable if it is yours)`
    throw diskFailure(error, path)
  }
}

/** The file is hidden by another file system that is mounted above it. */
function isMount(error: unknown): boolean {
  return error instanceof Failure && error.code === 'mount-crossed'
}

function isForbidden(error: unknown): boolean {
  return errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM'
}

/** Like `readPresent`, but a failing disk gives an unknown value: no operation depends on it. */
export function inspectPresent(project: Project, path: ProjectPath, contents: Contents): Value {
  try {
    return readPresent(project, path, contents)
  } catch (error) {
    if (error instanceof Failure) return { kind: 'unknown', why: error.message }
    throw error
  }
}

/** A directory that may not be listed counts as free of collisions; applying checks again. */
function tryList(root: PinnedRoot, directory: string): ReturnType<typeof listForScan> | null {
  try {
    return tryInDirectory(exactRoot(root), directory, (pinned) =>
      listForScan(nameText(pinned.at('.'))),
    )
  } catch (error) {
    if (isForbidden(error) || isMount(error)) return null
    throw error
  }
}

/** Stop after this many: a single file below is enough to keep a directory. */
const MAX_BELOW = 10_000

/** The innermost annex around the path: outer ones do not enter it. */
function annexAround({ annexes }: PinnedRoot, path: string): string | null {
  const around = annexes.filter((annex) => isIn(annex.path, path)).map((annex) => annex.path)
  return around.toSorted((a, b) => b.length - a.length)[0] ?? null
}

/**
 * The files and symlinks that planned paths could collide with: in place of a parent, next to them,
 * and below them. Not the whole tree: a plan's cost must depend on what it changes.
 */
export function readNeighbours({ root }: Project, paths: readonly ProjectPath[]): ProjectPath[] {
  const found = new Set<string>()
  /** For each directory: whether it was listed recursively, or only its own entries. */
  const seen = new Map<string, boolean>()
  const list = (directory: string, isDeep = false): void => {
    if (seen.get(directory) === true || (seen.has(directory) && !isDeep)) return
    seen.set(directory, isDeep)
    const entries = tryList(root, directory)
    for (const { name, isDirectory } of entries ?? []) {
      const path = directory === '' ? name : `${directory}/${name}`
      // A git repository is never entered or removed, so it counts like a file.
      if (!isDirectory || spellsGit(name)) found.add(path)
      else if (isDeep && found.size < MAX_BELOW) list(path, isDeep)
    }
  }
  for (const path of paths) {
    const annex = path.startsWith('/') ? annexAround(root, path) : ''
    // The surroundings of a file outside every open directory are unknown.
    if (annex === null) continue
    const parts = path.slice(annex.length).split('/').filter(Boolean)
    for (let depth = 0; depth < parts.length; depth++)
      list([annex, ...parts.slice(0, depth)].filter(Boolean).join('/'))
    // A directory in the place of a planned file must be empty, at any depth.
    list(path, true)
  }
  return [...found] as ProjectPath[]
}
