import type { PlanBody, TreeView } from '#protocol'
import type { OperationView } from './operation-words.ts'

/** The plan to the place where a session stood before an operation, or why there is none. */
export type StateBefore =
  | { readonly kind: 'plan'; readonly body: PlanBody }
  | { readonly kind: 'none'; readonly why: string }

/**
 * Going there is planned like any other move: a rewind along the line in use, a switch to another
 * line. Nothing else is taken back, so an operation that moved no turns has no such place.
 */
export function stateBefore(
  { receipt: { from, to } }: Pick<OperationView, 'receipt'>,
  tree: Pick<TreeView, 'head' | 'branches'>,
): StateBefore | null {
  if (from?.id === to?.id) return null
  if ((from?.id ?? null) === tree.head)
    return { kind: 'none', why: 'The session stands there already.' }
  if (from === null) return { kind: 'plan', body: { verb: 'rewind', turn: '0' } }
  for (const branch of tree.branches) {
    const turn = branch.turns.find(({ id }) => id === from.id)
    if (turn === undefined) continue
    const body: PlanBody =
      turn.state === 'other'
        ? { verb: 'switch', branch: branch.id, turn: from.id }
        : { verb: 'rewind', turn: from.id }
    return { kind: 'plan', body }
  }
  return { kind: 'none', why: 'That turn is not in the transcript any more.' }
}
