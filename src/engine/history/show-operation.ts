import type { ShownOperation } from '#timeline'
import {
  diffFile,
  inspectPresent,
  projectContents,
  type Project,
  type Reveal,
} from '../project/index.ts'
import { readOperation } from './operations.ts'

/** An operation with two diffs of its files: what it did, and from before it to now. */
export function showOperation(project: Project, id: number, how: Reveal): ShownOperation {
  const operation = readOperation(project, id)
  const contents = projectContents(project.store)
  return {
    operation,
    did: operation.files.map(({ path, pre, post }) =>
      diffFile(contents, { path, before: pre, after: post }, how),
    ),
    since: operation.files.map(({ path, pre }) =>
      diffFile(
        contents,
        { path, before: pre, after: inspectPresent(project, path, contents) },
        how,
      ),
    ),
  }
}
