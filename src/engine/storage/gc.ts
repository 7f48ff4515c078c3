import { command, Failure, remedy } from '#failure'
import {
  compact,
  dropContent,
  listContents,
  listOperations,
  markPruned,
  referencedBy,
  setContentAside,
  sweepLarge,
  keepContentAgain,
  takeWriter,
  write,
  type KeptContent,
  type Reference,
} from '#store'
import type { ContentId } from '#timeline'
import { settingsOf, type Machine, fingerprint } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import { lastOutsideScan } from '../witness/index.ts'

const DAY = 24 * 60 * 60 * 1000
/** Days for which a content that was put aside can still be found. */
export const GRACE_DAYS = 7

/** What gc would do to a project's store, computed without changing it. */
export interface GcPlan {
  readonly id: string
  readonly retention: number
  /** Referenced by nothing that is kept: put aside first. */
  readonly aside: readonly KeptContent[]
  /** Aside for longer than the grace period: deleted. */
  readonly drop: readonly KeptContent[]
  /** Aside, and still in the grace period. */
  readonly waiting: readonly KeptContent[]
  /** Aside, and referenced again since. */
  readonly back: readonly ContentId[]
  /** Operations that can no longer be undone afterwards. */
  readonly operations: readonly {
    readonly id: number
    readonly verb: string
    readonly at: string
  }[]
}

/**
 * Deletes nothing that is referenced (sem.K1). Roots are: every link of a turn, every cell and its
 * latest move, what the ledger expects at a path, the last scan of the files, differences without a
 * known author, unfinished operations, facts about sessions, and operations and other people's
 * changes that are younger than the retention period.
 */
export function planGc(machine: Machine, { store }: Project): GcPlan {
  const { retention } = settingsOf(machine)
  const now = machine.now().getTime()
  const since = now - retention * DAY
  const named = referencedBy(store)
  const scans = new Map<string, number>()
  /** When an added directory was last scanned: one that sessions no longer use is no root. */
  const lookedAt = (directory: string): number => {
    const known = scans.get(directory) ?? lastOutsideScan(store, directory)?.began ?? 0
    scans.set(directory, known)
    return known
  }
  const isNeeded = ({ id }: KeptContent): boolean =>
    (named.get(id) ?? []).some((naming) => isRoot(naming, since) && isWatchedStill(naming))
  const isWatchedStill = ({ by }: Reference): boolean =>
    by.kind !== 'snapshot' || by.outside === null || lookedAt(by.outside) >= since

  const all = listContents(store)
  const aside = all.filter((content) => content.aside === null && !isNeeded(content))
  const [needed, gone] = [true, false].map((is) =>
    all.filter((content) => content.aside !== null && isNeeded(content) === is),
  )
  const isDue = ({ aside: at }: KeptContent): boolean => at! <= now - GRACE_DAYS * DAY
  const drop = gone!.filter(isDue)
  const losing = new Set(
    aside.flatMap(({ id }) =>
      (named.get(id) ?? []).flatMap(({ by }) => (by.kind === 'operation' ? [by.id] : [])),
    ),
  )
  const operations = listOperations(store)
    .filter(({ id, state, pruned }) => state === 'committed' && pruned === null && losing.has(id))
    .map(({ id, verb, at }) => ({ id, verb, at: new Date(at).toISOString() }))
  const back = needed!.map(({ id }) => id)
  return {
    id: planId({ aside, drop, back, operations }),
    retention,
    aside,
    drop,
    waiting: gone!.filter((content) => !isDue(content)),
    back,
    operations,
  }
}

/** When the first content put aside may be deleted; null if none waits. */
export function deletableFrom(waiting: readonly KeptContent[]): Date | null {
  if (waiting.length === 0) return null
  const first = waiting.reduce((least, { aside }) => Math.min(least, aside!), Infinity)
  return new Date(first + GRACE_DAYS * DAY)
}

function isRoot({ by }: Reference, since: number): boolean {
  switch (by.kind) {
    case 'link':
      // A link of a turn, or one that may be a turn's and that the user can still include.
      return by.author.id !== null && by.author.kind !== 'operation'
        ? true
        : by.isLatest || by.at >= since
    case 'operation':
      return !by.tidy || by.at >= since
    case 'cell':
    case 'move':
    case 'sighting':
    case 'snapshot':
    case 'fact':
      return true
    default:
      return by satisfies never
  }
}

/** Applies the plan, if planning again under the lock gives the same one. */
export async function applyGc(machine: Machine, project: Project, plan: GcPlan): Promise<void> {
  const { store } = project
  await using writer = await takeWriter(store)
  const now = machine.now().getTime()
  write(store, () => {
    if (!writer.isHeld || planGc(machine, project).id !== plan.id)
      throw new Failure('plan-stale', 'The stored data changed since the clean-up was planned.', {
        hint: remedy`Nothing was deleted. ${command('gc')} again.`,
      })
    for (const { id } of plan.operations) markPruned(store, id, now)
    for (const { id } of plan.aside) setContentAside(store, id, now)
    for (const id of plan.back) keepContentAgain(store, id)
    for (const { id } of plan.drop) dropContent(store, id)
  })
  if (plan.drop.length === 0) return
  sweepLarge(store)
  compact(store)
}

function planId({
  aside,
  drop,
  back,
  operations,
}: Omit<GcPlan, 'id' | 'retention' | 'waiting'>): string {
  const ids = [aside, drop].map((list) => list.map(({ id }) => id))
  return fingerprint([ids, back, operations.map(({ id }) => id)])
}
