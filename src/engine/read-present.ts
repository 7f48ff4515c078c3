import {
  diskFailure,
  listForScan,
  nameText,
  readValue,
  tryInDirectory,
  type Found,
  type PinnedRoot,
} from '#disk'
import { Failure } from '#failure'
import type { ContentId, Contents, ProjectPath, Value } from '#timeline'
import type { Project } from './open-project.ts'

/**
 * What stands at a path now, as a value; its bytes become known to `contents`. What the system
 * does not let us read fails: leaving such a file out would do half of an operation.
 */
export function readPresent({ root }: Project, path: ProjectPath, contents: Contents): Value {
  const found = tryRead(root, path)
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
    if (error instanceof Failure) return error.message
    throw diskFailure(error, path)
  }
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

/**
 * The files and links that planned paths could collide with: what stands where one of their
 * parents should be, beside them, and below them. Not the whole tree: the cost of a plan follows
 * what it changes.
 */
export function readNeighbours({ root }: Project, paths: readonly ProjectPath[]): ProjectPath[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const list = (directory: string): void => {
    if (seen.has(directory)) return
    seen.add(directory)
    const entries = tryInDirectory(root, directory, (pinned) =>
      listForScan(nameText(pinned.at('.'))),
    )
    for (const { name, isDirectory } of entries ?? [])
      if (!isDirectory) found.add(directory === '' ? name : `${directory}/${name}`)
  }
  for (const path of paths) {
    const parts = path.split('/')
    for (let depth = 0; depth < parts.length; depth++) list(parts.slice(0, depth).join('/'))
    list(path)
  }
  return [...found] as ProjectPath[]
}
