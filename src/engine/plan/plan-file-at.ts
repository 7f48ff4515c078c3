import { Failure } from '#failure'
import { getContent, hasContent } from '#store'
import type { Contents, FilePlan } from '#timeline'
import type { Project } from '../project/index.ts'
import type { PlannedOperation } from './planned.ts'

/** Clients name a file of a plan by its index. */
export function planFileAt({ plan }: PlannedOperation, place: number): FilePlan {
  const file = plan.files[place]
  if (file !== undefined) return file
  throw new Failure('file-not-found', `The plan has no file ${place}.`, {
    hint: 'Files are counted from 0, in the order in which the plan lists them.',
  })
}

/** The contents of a plan. Falls back to `store`, as the plan's own store may be closed by now. */
export function planContents({ store }: Project, { contents }: PlannedOperation): Contents {
  return {
    add: (bytes) => contents.add(bytes),
    has: (id) => hasContent(store, id) || contents.has(id),
    bytes(id) {
      try {
        return contents.bytes(id)
      } catch {
        return getContent(store, id)
      }
    },
  }
}
