/**
 * Malformed transcripts, made from recorded ones by a seeded generator: rows are moved, repeated
 * and relinked, then fields get values of the wrong type, then bytes are torn, spliced and
 * overwritten.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fuzzTranscript } from './fuzzed.ts'
import { seededRandom, type Random } from './random.ts'
import { bytesOf, makeVariant, type SessionLine } from './variants.ts'

const root = fileURLToPath(new URL('../fixtures/claude-code/2.1.325', import.meta.url))

/** The recorded sessions and their subagents' files, by name. */
export function recordedSessions(): Record<string, SessionLine[]> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.jsonl')).toSorted()
  return Object.fromEntries(files.map((name) => [name, readRows(join(root, name))]))
}

function readRows(path: string): SessionLine[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as SessionLine)
}

export interface Fuzzed {
  readonly name: string
  readonly bytes: Buffer
}

export function fuzz(
  bases: Readonly<Record<string, readonly SessionLine[]>>,
  seed: number,
): Fuzzed {
  const random = seededRandom(seed)
  if (random.chance(0.4)) return { name: 'bent rows', bytes: fuzzTranscript(random) }
  const { name, lines } = makeVariant(bases, random)
  const changed = [...lines]
  const steps = [name]
  for (let i = random.below(4); i > 0; i--) steps.push(random.pick(valueChanges)(changed, random))
  let bytes = bytesOf(changed)
  for (let i = random.below(4); i > 0; i--) {
    const change = random.pick(byteChanges)
    steps.push(change.name)
    bytes = change(bytes, random)
  }
  return { name: steps.join(', '), bytes }
}

type Row = Record<string, unknown>

const ODD: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => -1.5e300,
  () => '',
  () => [],
  () => ({}),
  () => '__proto__',
  () => 'constructor',
  () => '\uD800 lone',
  () => '\u0000\u001B[31m\u202E',
  () => 'x'.repeat(3000),
  () => '9'.repeat(400),
  () => '0001-99-99T99:99:99.999Z',
  (random) => random.uuid(),
  (random) => nested(1 + random.below(3000)),
  () => [[{ type: 'tool_result' }], { type: 'text' }, null, 5],
  () => ({ content: [{ type: 'tool_use' }, { type: 'tool_use', id: 5, name: [], input: 'x' }] }),
  () => ({ anchorUuid: 5, uuids: [null, 5, '__proto__'], headUuid: {}, tailUuid: [] }),
]

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

const NAMES =
  `type uuid parentUuid message timestamp isSidechain isMeta subtype toolUseResult leafUuid explicit
  snapshot compactMetadata attachment sessionId cwd forkedFrom customTitle logicalParentUuid
  isCompactSummary __proto__ constructor toString length`.split(/\s+/)

type ValueChange = (lines: SessionLine[], random: Random) => string

const valueChanges: readonly ValueChange[] = [
  function oddField(lines, random) {
    const name = random.pick(NAMES)
    return replaceRow(lines, random, `odd ${name}`, (row) => {
      // Assigning to __proto__ would change the prototype instead of adding a field.
      Object.defineProperty(row, name, { value: random.pick(ODD)(random), enumerable: true })
    })
  },
  function oddInside(lines, random) {
    return replaceRow(lines, random, 'odd value inside', (row) => {
      const inside = Object.values(row).filter(isObject)
      if (inside.length === 0) return
      const inner = random.pick(inside)
      Object.assign(inner, { [random.pick(Object.keys(inner))]: random.pick(ODD)(random) })
    })
  },
  function noField(lines, random) {
    const name = random.pick(NAMES)
    return replaceRow(lines, random, `no ${name}`, (row) => {
      delete row[name]
    })
  },
  function keysReversed(lines, random) {
    return replaceRow(lines, random, 'keys in another order', (row) => {
      const entries = Object.entries(row).toReversed()
      for (const key of Object.keys(row)) delete row[key]
      Object.assign(row, Object.fromEntries(entries))
    })
  },
  function sameUuid(lines, random) {
    const uuid = random.uuid()
    for (let i = 0; i < 3; i++)
      replaceRow(lines, random, '', (row) => {
        row['uuid'] = uuid
      })
    return 'three rows with one uuid'
  },
  function largeField(lines, random) {
    return replaceRow(lines, random, 'a large field', (row) => {
      row[random.pick(['extra', 'toolUseResult', 'content'])] = 'large '.repeat(
        random.below(20_000),
      )
    })
  },
]

function replaceRow(
  lines: SessionLine[],
  random: Random,
  what: string,
  change: (row: Row) => void,
): string {
  const at = random.below(lines.length)
  const line = lines[at]
  if (line === undefined || Buffer.isBuffer(line)) return `${what} (of nothing)`
  const row = structuredClone(line) as Row
  change(row)
  lines[at] = row
  return what
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

type ByteChange = (bytes: Buffer, random: Random) => Buffer

const byteChanges: readonly ByteChange[] = [
  function flipBytes(bytes, random) {
    const changed = Buffer.from(bytes)
    for (let i = 1 + random.below(20); i > 0; i--)
      changed[random.below(bytes.length)] = random.below(256)
    return changed
  },
  function cutEnd(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length + 1))
  },
  function cutStart(bytes, random) {
    return bytes.subarray(random.below(bytes.length + 1))
  },
  function cutMiddle(bytes, random) {
    const at = random.below(bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(5000))])
  },
  function zeros(bytes, random) {
    return insert(bytes, random, Buffer.alloc(1 + random.below(5000)))
  },
  function zerosOver(bytes, random) {
    const changed = Buffer.from(bytes)
    const at = random.below(bytes.length + 1)
    return changed.fill(0, at, Math.min(bytes.length, at + 512))
  },
  function badUtf8(bytes, random) {
    return insert(bytes, random, Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf5]))
  },
  function byteOrderMark(bytes) {
    return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])
  },
  function carriageReturns(bytes, random) {
    const text = bytes.toString('latin1')
    return Buffer.from(text.replaceAll('\n', random.chance(0.5) ? '\r\n' : '\r'), 'latin1')
  },
  function newline(bytes, random) {
    return insert(bytes, random, Buffer.from(random.chance(0.5) ? '\n' : '\n\n \t\r\n'))
  },
  function brackets(bytes, random) {
    return insert(bytes, random, Buffer.from('[{"'.repeat(random.below(20_000))))
  },
  function pieceAgain(bytes, random) {
    const at = random.below(bytes.length + 1)
    return insert(bytes, random, bytes.subarray(at, at + random.below(4000)))
  },
  function beginnings(bytes, random) {
    return insert(bytes, random, Buffer.from('{"parentUuid":'.repeat(random.below(300))))
  },
]

function insert(bytes: Buffer, random: Random, more: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)])
}
