import { errnoOf } from '#disk'
import { setOperationState, type Operation } from '#store'
import type { Journal, KeptPath } from './journal.ts'
import { rollBackPath } from './move-path.ts'
import { makeDirectory, removeDirectory, stepsOf, syncTouched } from './run-steps.ts'
import { respellDirectory } from './respell-directory.ts'
import { atSite, type WhenGone } from './site.ts'
import { abandonStep } from './stage.ts'

/**
 * Reverses all steps from the last, however many were done, and records it. Content that others
 * wrote meanwhile stays.
 */
export async function rollBack(
  journal: Journal,
  operation: Operation,
  because: Operation['because'],
  whenGone: WhenGone,
): Promise<KeptPath[]> {
  const { store } = journal
  const kept: KeptPath[] = []
  for (const [at, step] of [...stepsOf(operation).entries()].toReversed())
    switch (step.do) {
      case 'respell-directory':
        respellBack(journal, operation, at, step)
        break
      case 'make-directory':
        removeDirectory(journal, step.path)
        break
      case 'remove-directory':
        remakeDirectory(journal, step)
        break
      case 'clear':
      case 'delete':
      case 'place': {
        const { path } = operation.paths[step.n]!
        const found = atSite(journal, operation, step.n, whenGone, (site) => ({
          left: rollBackPath(store, site),
        }))
        // The whole directory was removed. The old content is in the store.
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

/** Skips a directory whose parent is gone. */
function respellBack(
  journal: Journal,
  operation: Operation,
  index: number,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  try {
    respellDirectory(journal, operation, index, { from: to, to: from })
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) throw error
  }
}

/** Skips a directory if its parent is gone, or if something else took its place. */
function remakeDirectory(journal: Journal, directory: { path: string; mode: number }): void {
  try {
    makeDirectory(journal, directory)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) throw error
  }
}
