import { keys, queries, tailOf, type Log } from './queries.ts'

/** `files` changed on disk; `rows` were appended; `everything` after an operation. */
type Change = 'files' | 'rows' | 'everything'

/**
 * Milliseconds. One operation causes its response and several events within this time, and each of
 * them would load the whole session again.
 */
const BATCH_MS = 30
const EXTENT = { files: 0, rows: 1, everything: 2 } as const
const changed = new Map<string, Change>()
let batch: Promise<void> | null = null

/** Loads again what the page shows of a session, once for all calls within a moment. */
export function refreshSession(session: string, change: Change): void {
  const before = changed.get(session) ?? 'files'
  changed.set(session, EXTENT[change] > EXTENT[before] ? change : before)
  batch ??= new Promise((resolve) => {
    setTimeout(() => {
      const all = [...changed]
      changed.clear()
      batch = null
      for (const each of all) refreshNow(...each)
      resolve()
    }, BATCH_MS)
  })
}

/** Resolves when the newest turns are loaded again. */
export async function settled(session: string): Promise<void> {
  await batch
  // Joins the load that the batch has begun.
  await queries.fetchQuery({ ...tailOf(session), staleTime: 0 }).catch(() => {})
}

/**
 * New rows change only the newest turns; an operation may change any. Turns load first, because the
 * server answers one request at a time.
 */
function refreshNow(session: string, change: Change): void {
  if (change === 'files') return refresh(keys.status(session))
  const before = queries.getQueryData<Log>(keys.tail(session))
  if (change === 'everything') refresh(['turns', session])
  else void refreshTail(session, before)
  for (const { id } of before?.turns.slice(-2) ?? []) refresh(keys.turn(session, id))
  refresh(keys.status(session))
  refresh(keys.branches(session))
  refresh(keys.sessions)
  // Comparisons, operations and similar views span several sessions.
  refresh(['time'])
}

async function refreshTail(session: string, before: Log | undefined): Promise<void> {
  await queries.invalidateQueries({ queryKey: keys.tail(session) })
  const after = queries.getQueryData<Log>(keys.tail(session))
  const whole = queries.getQueryData<Log>(keys.whole(session))
  if (!sameBeginning(before, after) || !joinsLong(whole, after)) refresh(keys.whole(session))
}

function refresh(queryKey: readonly unknown[]): void {
  void queries.invalidateQueries({ queryKey })
}

/** False after the agent's own rewind, which moves the head without a Retake operation. */
function sameBeginning(before: Log | undefined, after: Log | undefined): boolean {
  const known = new Map(before?.turns.map((turn) => [turn.id, turn]))
  // A new turn moves the others along, so the first of `before` may be gone.
  const now = after?.turns.find(({ id }) => known.has(id))
  const old = now && known.get(now.id)
  return old !== undefined && now?.state === old.state && now.number === old.number
}

/** New turns move the newest ones along. They must still begin within the whole, with some left. */
const MIN_SHARED = 8

function joinsLong(whole: Log | undefined, tail: Log | undefined): boolean {
  if (whole === undefined || tail?.more !== true) return true
  const first = whole.turns.findIndex(({ id }) => id === tail.turns[0]?.id)
  return first !== -1 && whole.turns.length - first >= MIN_SHARED
}
