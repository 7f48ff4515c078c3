import { seededRandom } from '../reader/random.ts'
import type { Act } from './history.ts'
import type { Wrong } from './wrong.ts'
import { randomHistory, type MakeWorld } from './run-history.ts'
import { shrink } from './shrink.ts'

export interface HistoryKind {
  readonly git: boolean
  /** A server watches the files. */
  readonly watched: boolean
  /** The agent works in a directory of `--add-dir`. */
  readonly added: boolean
}

/** Each kind gets a fourth of the histories; a fifth happens outside the project. */
export function kindOf(seed: number): HistoryKind {
  return { git: seed % 2 === 0, watched: seed % 4 >= 2, added: seed % 5 === 0 }
}

export interface TryOptions {
  readonly length?: number
  /** How often shrinking may replay parts of a wrong history. */
  readonly replays?: number
  /** Called before shrinking, which takes minutes. */
  readonly onWrong?: (message: string) => void
}

/** Plays the history of a seed. A wrong one is shrunk, then thrown. */
export async function tryHistory(
  seed: number,
  make: (kind: HistoryKind) => MakeWorld,
  { length = 14, replays = 150, onWrong }: TryOptions = {},
): Promise<void> {
  const kind = kindOf(seed)
  const { acts, wrong } = await randomHistory(seed, make(kind), { length, git: kind.git })
  if (wrong === null) return
  onWrong?.(wrong.message)
  const least = await shrink({ acts, wrong }, make(kind), { seed, replays })
  throw new Error(tell(least, seed))
}

function tell({ acts, wrong }: { acts: readonly Act[]; wrong: Wrong }, seed: number): string {
  const lines = acts.map((act) => `  ${JSON.stringify(act)}`)
  return [`history ${seed}: ${wrong.message}`, ...lines].join('\n')
}

/** The seeds of a run's histories, which differ from those of other runs. */
export function seedsOf(seed: number, count: number): number[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.below(2 ** 31))
}
