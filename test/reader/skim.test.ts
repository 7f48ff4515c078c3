import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import {
  chainRow,
  isChainType,
  parsedRow,
  skimSuffices,
} from '../../src/agents/claude-code/rows/read-row.ts'
import { createSkim } from '../../src/agents/claude-code/rows/skim.ts'
import { fuzz, recordedSessions } from './fuzz.ts'
import { seededRandom, type Random } from './random.ts'

const CASES = 900

test('[CC] a skimmed row equals the parsed one, for every row that is JSON', () => {
  const bases = recordedSessions()
  const skim = createSkim()
  let compared = 0
  for (let seed = 1; seed <= CASES; seed++) {
    const { bytes } = fuzz(bases, seed)
    for (const { from, to } of linesIn(bytes)) {
      const at = { place: from, length: to - from }
      const skimmed = skim(bytes, from, to, 0)
      const row = skimmed && skimSuffices(skimmed) ? chainRow(skimmed, at) : null
      const value = row === null ? undefined : parse(bytes, from, to)
      if (value === undefined) continue
      compared++
      const { type } = value
      const parsed =
        typeof type === 'string' && isChainType(type)
          ? parsedRow(value, type, { ...at, skipped: false })
          : null
      if (isDeepStrictEqual(row, parsed)) continue
      expect(row, `seed ${seed}: ${bytes.toString('utf8', from, to).slice(0, 300)}`).toEqual(parsed)
    }
  }
  expect(compared).toBeGreaterThan(3000)
})

test('[CC] a row similar to earlier ones reads the same as alone, whichever byte is changed', () => {
  const random = seededRandom(7)
  const sound = recordedRows().concat(Array.from({ length: 12 }, (_, n) => plainRow(n)))
  const learned = createSkim()
  let alike = 0
  for (let round = 0; round < 2000; round++) {
    const last = bend(random.pick(sound), random)
    const lines = [random.pick(sound), random.pick(sound), random.pick(sound), last]
    const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
    for (const { from, to } of linesIn(bytes)) {
      const among = learned(bytes, from, to, round)
      const alone = createSkim()(bytes, from, to, round)
      if (among !== null) alike++
      if (isDeepStrictEqual(among, alone)) continue
      expect(among, `round ${round}: ${bytes.toString('latin1', from, to)}`).toEqual(alone)
    }
  }
  expect(alike).toBeGreaterThan(6000)
})

/** Rows of one session: a few kinds, and rows of one kind differ only in ids, times and texts. */
function recordedRows(): Buffer[] {
  const sessions = Object.entries(recordedSessions())
  const rows = sessions.flatMap(([name, lines]) => (name.includes('simple') ? lines : []))
  return rows.flatMap((row) => (Buffer.isBuffer(row) ? [] : [Buffer.from(JSON.stringify(row))]))
}

function plainRow(n: number): Buffer {
  const id = (name: string): string => `${name}_${String(n % 4).padStart(8, '0')}`
  const content = [{ type: 'tool_use', id: id('toolu'), name: 'Edit', input: { a: { b: [] } } }]
  const message = { id: id('msg'), type: 'message', role: 'assistant', content }
  const row = {
    parentUuid: id('uuid'),
    isSidechain: false,
    type: 'assistant',
    message,
    uuid: id('uuid'),
    timestamp: `2026-01-01T00:00:0${n % 10}.000Z`,
    padding: 'x'.repeat(n % 3 === 0 ? 0 : 300 * n),
    cwd: '/p',
  }
  return Buffer.from(JSON.stringify(row))
}

const OFF: readonly number[] = Buffer.from('"\\{}[],: 0aé\0', 'latin1').toJSON().data

/** One or two bytes at either end are changed, missing or added. */
function bend(row: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(row)
  for (let n = random.below(3); n > 0; n--) {
    const near = random.below(Math.min(bytes.length, 500))
    const at = random.chance(0.5) ? near : bytes.length - 1 - near
    const byte = Buffer.from([random.pick(OFF)])
    const kept = random.below(3)
    const middle = kept === 0 ? Buffer.alloc(0) : byte
    bytes = Buffer.concat([
      bytes.subarray(0, at),
      middle,
      bytes.subarray(at + (kept === 2 ? 0 : 1)),
    ])
  }
  return bytes
}

test('[FT14] a skim does not mistake two rows, or one with zeros in it, for one row', () => {
  const row = JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(2000) }] },
    type: 'assistant',
    uuid: 'u1',
    timestamp: '2026-01-01T00:00:00.000Z',
  })
  const mode = '{"type":"mode","mode":"x"}'
  const torn = row.slice(0, 1000)
  const found = [
    row,
    row + row,
    row + mode,
    mode + row,
    torn + row,
    row.replace('xxx', 'x\0x'),
  ].map((line) => {
    const bytes = Buffer.from(line)
    const skimmed = createSkim()(bytes, 0, bytes.length, 0)
    return skimmed && chainRow(skimmed, { place: 0, length: bytes.length })?.uuid
  })

  expect(found).toEqual(['u1', null, null, null, null, null])
})

function* linesIn(bytes: Buffer): Generator<{ from: number; to: number }> {
  let from = 0
  for (let to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
    yield { from, to }
    from = to + 1
  }
}

/** Also undefined if a key occurs twice, which can happen if bytes between two rows are missing. */
function parse(bytes: Buffer, from: number, to: number): Record<string, unknown> | undefined {
  const text = bytes.toString('utf8', from, to)
  try {
    const value = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
