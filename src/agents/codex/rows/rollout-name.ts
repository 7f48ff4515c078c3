/** What the name of a rollout file says. */
export interface RolloutName {
  /** Local time to the second, as in `2026-11-15T02-33-13`. */
  readonly stamp: string
  readonly thread: string
  /** Differs from `thread` if the thread was reverted: each revert begins a new file. */
  readonly rollout: string
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const NAME = new RegExp(
  `^rollout-(\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d)-(${UUID})(?:_(${UUID}))?\\.jsonl(?:\\.zst)?$`,
)
const THREAD = new RegExp(`^${UUID}$`)

/** Null for any other file. */
export function parseRolloutName(name: string): RolloutName | null {
  const found = NAME.exec(name)
  if (found === null) return null
  const [, stamp, thread, rollout] = found
  return { stamp: stamp!, thread: thread!, rollout: rollout ?? thread! }
}

export function rolloutName({ stamp, thread, rollout }: RolloutName): string {
  return `rollout-${stamp}-${thread}${rollout === thread ? '' : `_${rollout}`}.jsonl`
}

export function isThreadId(text: string): boolean {
  return THREAD.test(text)
}

/** When a thread or a turn began: a UUIDv7 starts with the milliseconds since 1970. */
export function timeOfId(id: string): Date | null {
  if (!isThreadId(id) || id[14] !== '7') return null
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
