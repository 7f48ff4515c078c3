import { setImmediate } from 'node:timers/promises'
import { seededRandom } from '../reader/random.ts'
import { BytesLost } from '../verifier/bytes-lost.ts'
import type { Part, PieceResult } from './part.ts'

/** Stop a piece after this many failures. */
const MAX_FAILURES = 10

class Enough extends Error {}

/** Runs one piece and never throws. */
export async function tryPiece(
  part: Part,
  known: {
    readonly seed: number
    readonly piece: number
    readonly pieces: number
    readonly runs: number
    readonly revision: string
  },
): Promise<PieceResult> {
  const { piece, pieces, runs } = known
  // Different seeds, or the pieces of one run would try the same things.
  const seed = (known.seed * 1009 + piece * 7919) % 2_147_483_647
  let tried = 0
  let survived = 0
  let bytesLost = 0
  const failures: string[] = []
  const notes: string[] = []
  const began = performance.now()
  const fail = (where: string, error: unknown): void => {
    if (error instanceof BytesLost) bytesLost += error.bytes
    failures.push(
      `${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    if (failures.length >= MAX_FAILURES) throw new Enough()
  }
  try {
    await part.try({
      runs,
      piece,
      pieces,
      seed,
      random: seededRandom(seed),
      async point(where, check) {
        tried += 1
        // Yield to the event loop, because blocking tries would delay Ctrl-C.
        await setImmediate()
        try {
          await check()
          survived += 1
        } catch (error) {
          fail(where(), error)
        }
      },
      survived(count) {
        tried += count
        survived += count
      },
      note: (text) => void notes.push(text),
    })
  } catch (error) {
    if (!(error instanceof Enough))
      try {
        tried += 1
        fail('the part itself', error)
      } catch {
        // Already recorded.
      }
  }
  return {
    part: part.name,
    piece,
    pieces,
    seed: known.seed,
    tried,
    survived,
    bytesLost,
    seconds: (performance.now() - began) / 1000,
    failures,
    notes,
    revision: known.revision,
    at: new Date().toISOString(),
  }
}
