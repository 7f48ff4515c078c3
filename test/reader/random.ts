/** Reproducible randomness: the same seed makes the same choices on every machine. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number
  /** A whole number of at least 0 and less than `below`. */
  below(below: number): number
  chance(of: number): boolean
  pick<T>(list: readonly T[]): T
  /** Sixteen random bytes as a UUID. */
  uuid(): string
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32: 32 bits of state are plenty for choosing test cases.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => below(16).toString(16)).join('')
  return {
    next,
    below,
    chance: (of) => next() < of,
    pick: (list) => list[below(list.length)]!,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
