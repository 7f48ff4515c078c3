import { Failure } from '#failure'
import { diffValues, type FileDiff, type ShownOperation, type Value } from '#timeline'
import type { Project } from './open-project.ts'
import { readOperation } from './operations.ts'
import { projectContents } from './project-contents.ts'
import { lookAtPresent } from './read-present.ts'

/** An operation with its files: what it did to them, and the moment before it against now. */
export function showOperation(project: Project, id: number): ShownOperation {
  const operation = readOperation(project, id)
  const contents = projectContents(project.store)
  const diff = (path: string, from: Value, to: Value): FileDiff => {
    try {
      return { path, diff: diffValues(contents, from, to) }
    } catch (error) {
      // What gc took can be named and not be shown.
      if (error instanceof Failure) return { path, diff: { kind: 'not-text' } }
      throw error
    }
  }
  return {
    operation,
    did: operation.files.map(({ path, pre, post }) => diff(path, pre, post)),
    since: operation.files.map(({ path, pre }) =>
      diff(path, pre, lookAtPresent(project, path, contents)),
    ),
  }
}
