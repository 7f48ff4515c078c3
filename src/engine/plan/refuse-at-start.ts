import { command, Failure, remedy } from '#failure'
import type { ReadSession } from '../session/index.ts'

/** The conversation keeps its first turn, so it cannot go back from there (sem.C9). */
export function refuseAtStart({ tree }: ReadSession): void {
  if (tree.head !== null && tree.places.get(tree.head) !== 0) return
  throw new Failure('already-at-start', 'The conversation is at its first turn.', {
    hint: remedy`${command('undo')} to undo its file changes.`,
  })
}
