import { errnoOf } from '#disk'
import { setOperationState, type Operation } from '#store'
import type { Journal, KeptPath } from './journal.ts'
import { takePathBack } from './move-path.ts'
import { makeDirectory, removeDirectory, stepsOf, syncTouched } from './run-steps.ts'
import { atSite, type WhenGone } from './site.ts'
import { abandonStep } from './stage.ts'

/**
 * Walks back over all steps from the last, whatever has been done of them, until the tree is as it
 * was, and writes that down. Where somebody else has written meanwhile, theirs stays.
 */
export async function rollBack(
  journal: Journal,
  operation: Operation,
  because: Operation['because'],
  whenGone: WhenGone,
): Promise<KeptPath[]> {
  const { root, store } = journal
  const kept: KeptPath[] = []
  for (const step of stepsOf(operation).toReversed())
    switch (step.do) {
      case 'make-directory':
        removeDirectory(journal, step.path)
        break
      case 'remove-directory':
        makeAgain(journal, step)
        break
      case 'clear':
      case 'delete':
      case 'place': {
        const { path } = operation.paths[step.n]!
        const found = atSite(root, operation, step.n, whenGone, (site) => ({
          left: takePathBack(store, site),
        }))
        // Its whole directory was taken away; what stood there is in the store.
        if (found === null) kept.push({ path, found: { kind: 'absent' } })
        else if (found.left !== null) kept.push({ path, found: found.left })
        break
      }
    }
  abandonStep(journal, operation)
  await syncTouched(journal, operation)
  setOperationState(store, operation.id, { state: 'rolled-back', tidy: true, because })
  return kept
}

/** Not where somebody else has put something in its place, or has taken away what it lay in. */
function makeAgain(journal: Journal, directory: { path: string; mode: number }): void {
  try {
    makeDirectory(journal, directory)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) throw error
  }
}
