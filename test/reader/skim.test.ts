import { expect, test } from 'vitest'
import {
  chainRow,
  isChainType,
  parsedRow,
  saysEnough,
} from '../../src/agents/claude-code/read-row.ts'
import { createSkim } from '../../src/agents/claude-code/skim.ts'
import { fuzz, recordedSessions } from './fuzz.ts'

const CASES = 1500

test('[CC] a skimmed row says the same as a parsed one, in every row that is JSON', () => {
  const bases = recordedSessions()
  const skim = createSkim()
  let compared = 0
  for (let seed = 1; seed <= CASES; seed++) {
    const { bytes } = fuzz(bases, seed)
    for (const { from, to } of linesIn(bytes)) {
      const at = { place: from, length: to - from }
      const skimmed = skim(bytes, from, to, 0)
      const row = skimmed && saysEnough(skimmed) ? chainRow(skimmed, at) : null
      const value = row === null ? undefined : parse(bytes, from, to)
      if (value === undefined) continue
      compared++
      const { type } = value
      const parsed =
        typeof type === 'string' && isChainType(type)
          ? parsedRow(value, type, { ...at, skipped: false })
          : null
      expect(row, `seed ${seed}: ${bytes.toString('utf8', from, to).slice(0, 300)}`).toEqual(parsed)
    }
  }
  expect(compared).toBeGreaterThan(5000)
})

test('[FT14] a skim does not take two rows, or one with zeros in it, for one row', () => {
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

/** Undefined too where a key stands twice, as it can when bytes are missing between two rows. */
function parse(bytes: Buffer, from: number, to: number): Record<string, unknown> | undefined {
  const text = bytes.toString('utf8', from, to)
  try {
    const value = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
