/**
 * Queued prompts whose streams are closed until something happens to them. A browser opens only six
 * connections to a server: with one per queued prompt, nothing else would load.
 */
interface Parked {
  readonly turn: string
  readonly wake: () => void
  readonly lose: (error: Error) => void
}

const parked = new Set<Parked>()

/** Resolves when the turn may have started or ended. Rejects when the connection is lost. */
export function park(turn: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const own: Parked = { turn, wake: resolve, lose: reject }
  parked.add(own)
  return promise.finally(() => parked.delete(own))
}

/** `null` wakes all, for example after missed events. */
export function wakeParked(turn: string | null): void {
  for (const each of parked) if (turn === null || each.turn === turn) each.wake()
}

/** As if their streams had ended. A TypeError is what `fetch` throws then. */
export function loseParked(): void {
  for (const { lose } of parked) lose(new TypeError('The connection to the server was lost.'))
}
