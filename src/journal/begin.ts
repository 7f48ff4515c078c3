import { setImmediate } from 'node:timers/promises'
import { errnoOf, readValue, type Found } from '#disk'
import { Failure } from '#failure'
import { getOperation, insertOperation, write, type Operation } from '#store'
import { sameValue } from '#timeline'
import { holds, keep, valueOf } from './found-value.ts'
import type { Journal, OperationPlan, Refusal, Running } from './journal.ts'
import { foldCase, type Change } from './order.ts'
import { interrupted } from './run-steps.ts'
import { survey } from './survey.ts'

/** So many are kept before somebody else gets a turn. */
const BATCH = 64

/** Thrown to leave the transaction: what was found speaks against the plan. */
class Refused extends Error {
  readonly refusals: readonly Refusal[]
  constructor(refusals: readonly Refusal[]) {
    super('refused')
    this.refusals = refusals
  }
}

export type Beginning =
  | { readonly kind: 'begun'; readonly operation: Operation }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }

/**
 * Checks the plan against the disk, keeps every content that it would displace, and writes down
 * what is about to happen, with the last of them in one transaction. Nothing of the project has
 * been touched after it. Of many files others are heard in between; what was kept when it is
 * stopped there is named by nothing, and `gc` takes it.
 */
export async function begin(
  journal: Journal,
  whole: OperationPlan,
  { signal, progress }: Running = {},
): Promise<Beginning> {
  const plan = { ...whole, changes: whole.changes.filter(differs) }
  const { refusals, steps, anchors } = survey(journal, plan)
  if (refusals.length > 0) return { kind: 'refused', refusals }
  const conversation = plan.conversation?.prepare(journal.store.disk) ?? null
  if (plan.conversation !== undefined && conversation === null)
    return { kind: 'refused', refusals: [{ path: null, why: 'conversation-changed' }] }

  const { store } = journal
  const total = plan.changes.length
  try {
    for (let done = 0; done < total - BATCH; done += BATCH) {
      progress?.({ phase: 'keeping', done, total })
      write(store, () => backUp(journal, plan.changes, done))
      await setImmediate()
      if (signal?.aborted === true) throw interrupted()
    }
    const id = write(store, () => {
      backUp(journal, plan.changes, Math.floor(Math.max(0, total - 1) / BATCH) * BATCH)
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

/** What stands as the plan wants it is not touched: its inode and times stay. */
function differs({ pre, post }: Change): boolean {
  return !sameValue(pre, post)
}

/** Keeps a batch. As soon as one is refused all the rest are looked at, to tell them together. */
function backUp(journal: Journal, changes: readonly Change[], from: number): void {
  const refusals: Refusal[] = []
  for (const [n, change] of changes.slice(from).entries()) {
    if (n >= BATCH && refusals.length === 0) return
    const found = look(journal, change)
    if (typeof found === 'string') refusals.push({ path: change.path, why: found })
    else if (holds(found, change.pre) || isTwin(found, change, changes)) keep(journal.store, found)
    else refusals.push({ path: change.path, why: 'changed', found: valueOf(found) })
  }
  if (refusals.length > 0) throw new Refused(refusals)
}

function look({ root }: Journal, { path }: Change): Found | Refusal['why'] {
  try {
    return readValue(root, path)
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return 'not-readable'
    if (error instanceof Failure && error.code === 'file-too-big') return 'too-big'
    throw error
  }
}

/** On a disk that ignores case, `foo` finds the Foo that this operation renames. */
function isTwin(found: Found, { path, pre }: Change, changes: readonly Change[]): boolean {
  if (process.platform === 'linux' || pre.kind !== 'absent') return false
  return changes.some(
    (other) =>
      other.path !== path &&
      foldCase(other.path) === foldCase(path) &&
      other.post.kind === 'absent' &&
      holds(found, other.pre),
  )
}
