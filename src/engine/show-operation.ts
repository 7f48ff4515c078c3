import type { ShownOperation } from '#timeline'
import { diffFile, type Reveal } from './diff-file.ts'
import type { Project } from './open-project.ts'
import { readOperation } from './operations.ts'
import { projectContents } from './project-contents.ts'
import { lookAtPresent } from './read-present.ts'

/** An operation with its files: what it did to them, and the moment before it against now. */
export function showOperation(project: Project, id: number, how: Reveal): ShownOperation {
  const operation = readOperation(project, id)
  const contents = projectContents(project.store)
  return {
    operation,
    did: operation.files.map(({ path, pre, post }) =>
      diffFile(contents, { path, before: pre, after: post }, how),
    ),
    since: operation.files.map(({ path, pre }) =>
      diffFile(contents, { path, before: pre, after: lookAtPresent(project, path, contents) }, how),
    ),
  }
}
