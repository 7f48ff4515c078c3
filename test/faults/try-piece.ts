import { setImmediate } from 'node:timers/promises'
import { seededRandom } from '../reader/random.ts'
import { BytesLost } from '../verifier/bytes-lost.ts'
import type { Part, PieceResult } from './part.ts'

/** A part that fails everywhere has said enough after this many times. */
const ENOUGH = 10

class Enough extends Error {}

/** Does one piece to its end, whatever goes wrong in it. */
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
  // Pieces of one run must not try the same things.
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
    if (failures.length >= ENOUGH) throw new Enough()
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
        // Much of what is tried blocks: Ctrl-C must be heard in between.
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
        // Written down already.
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
