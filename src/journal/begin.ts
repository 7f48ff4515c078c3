import { setImmediate } from 'node:timers/promises'
import { errnoOf, exactRoot, isSameFile, readValue, type FoundEntry, type PinnedRoot } from '#disk'
import { Failure } from '#failure'
import { getOperation, insertOperation, write, type Operation } from '#store'
import { sameValue } from '#timeline'
import { holds, keep, valueOf } from './found-value.ts'
import type { Journal, OperationPlan, Refusal, Running } from './journal.ts'
import type { Change } from './order.ts'
import { makeQuarantine } from './quarantine.ts'
import { interrupted } from './run-steps.ts'
import { survey } from './survey.ts'

/** Yield to the event loop after saving this many files. */
const BATCH_SIZE = 64

/** Thrown to abort the transaction when the files do not match the plan. */
class Refused extends Error {
  readonly refusals: readonly Refusal[]
  constructor(refusals: readonly Refusal[]) {
    super('refused')
    this.refusals = refusals
  }
}

export type BeginResult =
  | { readonly kind: 'begun'; readonly operation: Operation }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }

/**
 * Checks the plan against the disk, saves every content that it would replace, and records the
 * operation in one transaction with the last batch. It does not touch the project. Large plans
 * yield between batches. If the caller stops it there, nothing refers to the saved contents, and
 * `gc` deletes them.
 */
export async function begin(
  journal: Journal,
  whole: OperationPlan,
  { signal, progress }: Running = {},
): Promise<BeginResult> {
  const plan = { ...whole, changes: whole.changes.filter(differs) }
  const { refusals, steps, anchors } = survey(journal, plan)
  if (refusals.length > 0) return { kind: 'refused', refusals }
  const conversation = plan.conversation?.prepare(journal.store.disk) ?? null
  if (plan.conversation !== undefined && conversation === null)
    return { kind: 'refused', refusals: [{ path: null, why: 'conversation-changed' }] }

  const { store } = journal
  // Before anything is recorded: a rollback does not sync the directory above it.
  if (plan.changes.some(({ pre }) => pre.kind === 'file')) makeQuarantine(store)
  const total = plan.changes.length
  try {
    for (let done = 0; done < total - BATCH_SIZE; done += BATCH_SIZE) {
      progress?.({ phase: 'keeping', done, total })
      write(store, () => backUp(journal, plan.changes, done))
      await setImmediate()
      if (signal?.aborted === true) throw interrupted()
    }
    const id = write(store, () => {
      backUp(journal, plan.changes, Math.floor(Math.max(0, total - 1) / BATCH_SIZE) * BATCH_SIZE)
      return insertOperation(store, {
        tag: journal.newTag(),
        verb: plan.verb,
        session: plan.session,
        inverts: plan.inverts ?? null,
        details: plan.details,
        at: journal.now(),
        steps,
        conversation,
        paths: plan.changes.map(({ path, pre, post, choice }, n) => ({
          path,
          pre,
          post,
          choice: choice ?? null,
          anchor: anchors[n]!,
        })),
      })
    })
    return { kind: 'begun', operation: getOperation(store, id) }
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', refusals: error.refusals }
    throw error
  }
}

/** A path that already has the planned value is left alone, so its inode and times stay. */
function differs({ pre, post }: Change): boolean {
  return !sameValue(pre, post)
}

/**
 * Saves one batch. After the first refusal it checks all remaining paths, to report them together.
 */
function backUp(journal: Journal, changes: readonly Change[], from: number): void {
  const refusals: Refusal[] = []
  for (const [n, change] of changes.slice(from).entries()) {
    if (n >= BATCH_SIZE && refusals.length === 0) return
    const found = readPath(journal, change, changes)
    if (typeof found === 'string') refusals.push({ path: change.path, why: found })
    else if (holds(found, change.pre)) keep(journal.store, found)
    else refusals.push({ path: change.path, why: 'changed', found: valueOf(found) })
  }
  if (refusals.length > 0) throw new Refused(refusals)
}

function readPath(
  { root }: Journal,
  { path, pre }: Change,
  changes: readonly Change[],
): FoundEntry | Refusal['why'] {
  try {
    const exact = exactRoot(root)
    const found = readValue(exact, path)
    if (exact === root || found.kind !== 'absent' || pre.kind !== 'absent') return found
    // A file in another spelling occupies the path, unless this operation moves it away.
    const occupant = readValue(root, path)
    return isMovedAway(exact, occupant, changes) ? found : occupant
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return 'not-readable'
    if (error instanceof Failure && error.code === 'file-too-big') return 'too-big'
    throw error
  }
}

function isMovedAway(exact: PinnedRoot, occupant: FoundEntry, changes: readonly Change[]): boolean {
  if (occupant.kind === 'absent' || occupant.kind === 'directory') return true
  return changes.some(({ path, post }) => {
    if (post.kind !== 'absent') return false
    const found = readValue(exact, path)
    return found.kind !== 'absent' && isSameFile(found.stat, occupant.stat)
  })
}
