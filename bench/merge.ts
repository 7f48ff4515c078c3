import { diffArrays } from 'diff'
import { mergeText } from '../src/timeline/text/merge-text.ts'
import { interleave, limit, ratio } from './measure.ts'
import type { Measured } from './measured.ts'

const LINES = 50_000
const EDITS = 50

/** Three-way merges of one file, compared with one diff per side. */
export async function run(): Promise<Measured> {
  const base = Array.from(
    { length: LINES },
    (_, n) => `  const value${n} = await handler(${n % 97})`,
  )
  const step = LINES / EDITS
  const ours = edited(base, (n) => n % step === step / 4)
  const theirs = edited(base, (n) => n % step === (3 * step) / 4)
  const bytes = { base: bytesOf(base), ours: bytesOf(ours), theirs: bytesOf(theirs) }
  // Separate strings, as read from files: comparing identical objects would cost nothing.
  const [a, b, c] = [bytes.base, bytes.ours, bytes.theirs].map(linesOf)
  const times = await interleave(15, {
    merge: () => mergeText(bytes),
    jsdiff: () => [diffArrays(a!, b!), diffArrays(a!, c!)],
    fromBytes() {
      const [base, ours, theirs] = [bytes.base, bytes.ours, bytes.theirs].map(linesOf)
      return [diffArrays(base!, ours!), diffArrays(base!, theirs!)]
    },
  })

  // A differ without a budget needs seconds or minutes for these.
  const repeated = Array.from({ length: 20_000 }, () => '}')
  const hard = {
    repeated: {
      base: bytesOf(repeated),
      ours: bytesOf(edited(repeated, (n) => n === 5000)),
      theirs: bytesOf(edited(repeated, (n) => n === 15_000)),
    },
    shuffled: {
      base: bytesOf(base.slice(0, 20_000)),
      ours: bytesOf(base.slice(0, 20_000).toReversed()),
      theirs: bytesOf(edited(base.slice(0, 20_000), () => true)),
    },
  }
  const { alike, shuffled } = await interleave(5, {
    alike: () => mergeText(hard.repeated),
    shuffled: () => mergeText(hard.shuffled),
  })
  return {
    figures: [
      ratio('50,000 lines, 50 + 50 edits, against one jsdiff per side', times.merge, times.jsdiff, {
        most: 3,
      }),
      ratio('… against the same with the texts cut into lines', times.merge, times.fromBytes, {
        most: null,
      }),
      limit('20,000 lines that are all alike, 1 + 1 edits', alike, 'ms', 200),
      limit('20,000 lines turned round here and all changed there', shuffled, 'ms', 200),
    ],
  }
}

function edited(lines: readonly string[], isChanged: (n: number) => boolean): string[] {
  return lines.map((line, n) => (isChanged(n) ? `${line} // changed` : line))
}

function bytesOf(lines: readonly string[]): Uint8Array {
  return Buffer.from(`${lines.join('\n')}\n`)
}

function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString().split('\n')
}
