import { Failure } from '#failure'
import { getContent } from '#store'
import { diffValues, type Contents, type FileDiff } from '#timeline'
import type { Project } from './open-project.ts'
import type { PlannedOperation } from './planned.ts'

/** What a plan would do to one of its files, line by line; files are named by their place in it. */
export function diffPlanFile(
  { store }: Project,
  { plan, contents }: PlannedOperation,
  place: number,
): FileDiff {
  const file = plan.files[place]
  if (file === undefined)
    throw new Failure('file-not-found', `The plan has no file ${place}.`, {
      hint: 'Files are counted from 0, in the order in which the plan lists them.',
    })
  // The plan was made with a store that may be closed by now.
  const both: Contents = {
    add: (bytes) => contents.add(bytes),
    bytes(id) {
      try {
        return contents.bytes(id)
      } catch {
        return getContent(store, id)
      }
    },
  }
  return { path: file.path, diff: diffValues(both, file.pre, file.post) }
}
