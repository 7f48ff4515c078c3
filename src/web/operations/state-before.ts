import type { PlanBody, TreeView } from '#protocol'
import { START } from '#timeline'
import { placeWords, type OperationView } from './operation-words.ts'

/** The plan to the state before an operation and its button's label, or why there is none. */
export type StateBefore =
  | { readonly kind: 'plan'; readonly label: string; readonly body: PlanBody }
  | { readonly kind: 'none'; readonly label: string; readonly why: string }

const GO = 'Go to the state before…'

/**
 * If the operation moved the session: a rewind along the line, or a switch, back to where it was.
 * If it only wrote files: those files as they were at that turn.
 */
export function stateBefore(
  { receipt: { from, to }, files }: Pick<OperationView, 'receipt' | 'files'>,
  tree: Pick<TreeView, 'head' | 'branches'>,
): StateBefore | null {
  if (from?.id === to?.id) {
    if (from === null || files.length === 0) return null
    const body: PlanBody = { verb: 'restore', files: files.map(({ path }) => path), at: from.id }
    return { kind: 'plan', label: `Restore its files as of ${placeWords(from)}…`, body }
  }
  if ((from?.id ?? null) === tree.head)
    return { kind: 'none', label: GO, why: 'The session is already there.' }
  if (from === null) return { kind: 'plan', label: GO, body: { verb: 'rewind', turn: START } }
  for (const branch of tree.branches) {
    const turn = branch.turns.find(({ id }) => id === from.id)
    if (turn === undefined) continue
    const body: PlanBody =
      turn.state === 'other'
        ? { verb: 'switch', branch: branch.id, turn: from.id }
        : { verb: 'rewind', turn: from.id }
    return { kind: 'plan', label: GO, body }
  }
  return { kind: 'none', label: GO, why: 'That turn is no longer in the transcript.' }
}
