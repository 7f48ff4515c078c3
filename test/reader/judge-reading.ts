import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeCode } from '#agents'
import { buildTree } from '#timeline'
import { fuzzTranscript } from './fuzzed.ts'
import { seededRandom } from './random.ts'

const SLOWEST = 2000

/**
 * Reads one fuzzed session whole, turn by turn. Throws what is wrong: a crash, a byte that nobody
 * accounts for, a turn that is on no branch, a changed file, a reading that takes too long.
 */
export function judgeReading(config: string, seed: number): void {
  const id = '00000000-0000-4000-8000-000000000000'
  const directory = join(config, 'projects', '-p')
  const path = join(directory, `${id}.jsonl`)
  const bytes = fuzzTranscript(seededRandom(seed))
  writeFileSync(path, bytes)
  const before = readdirSync(config, { recursive: true }).toSorted()

  const started = performance.now()
  const file = claudeCode.findSessionFile(config, id)!
  const session = claudeCode.openSession(config, file, claudeCode.openSessionIndex(null))
  const turns = session.conversation.turns.map(({ turn }) => turn)
  const tree = buildTree(id, turns, session.conversation.head)
  for (const { turn } of session.conversation.turns) session.readTurn(turn.id)
  const took = performance.now() - started

  const { rows, pointers, checkpoints, titles, damage, opaqueBytes, blankBytes } =
    session.transcript
  const places = [...rows, ...pointers, ...checkpoints, ...titles].map(
    ({ place, length }) => [place, length] as const,
  )
  const spans = [...places, ...damage.map(({ offset, length }) => [offset, length] as const)]
  const counted = covered(spans) + opaqueBytes + blankBytes
  const tail = bytes.length - session.transcript.end
  must(
    counted <= bytes.length && counted >= bytes.length - tail,
    `${counted} of ${bytes.length} bytes are accounted for`,
  )
  must(new Set(turns.map((turn) => turn.id)).size === turns.length, 'two turns have one id')
  must(
    turns.every((turn) => tree.branchOf.has(turn.id)) || hasRing(turns),
    'a turn is on no branch',
  )
  must(tree.head === null || tree.places.has(tree.head), 'the head is not on the line')
  must(readFileSync(path).equals(bytes), 'the file was changed')
  must(
    readdirSync(config, { recursive: true }).toSorted().join() === before.join(),
    'something was written',
  )
  must(took < SLOWEST, `it took ${took.toFixed(0)} ms`)
}

/** How many bytes the spans cover; a row that is also damaged counts once. */
function covered(spans: readonly (readonly [from: number, length: number])[]): number {
  let [total, end] = [0, 0]
  for (const [from, length] of spans.toSorted((a, b) => a[0] - b[0])) {
    total += Math.max(0, from + length - Math.max(from, end))
    end = Math.max(end, from + length)
  }
  return total
}

/** Parents that lead in a circle have no first turn; only such turns may hang nowhere. */
function hasRing(turns: readonly { id: string; parent: string | null }[]): boolean {
  const parent = new Map(turns.map((turn) => [turn.id, turn.parent]))
  return turns.some(({ id }) => {
    const seen = new Set<string>()
    let at: string | null | undefined = id
    while (at !== null && at !== undefined && !seen.has(at)) {
      seen.add(at)
      at = parent.get(at)
    }
    return at !== null && at !== undefined
  })
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
