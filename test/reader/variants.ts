/**
 * Variants of a recorded session, made by a seeded generator. Each is what a crash, another
 * version, another tool or an undo could leave. The question is always where the real program
 * resumes.
 */
import type { Random } from './random.ts'

/** A row of the file, or bytes that are not a row. */
export type SessionLine = Readonly<Record<string, unknown>> | Buffer

export interface Variant {
  readonly name: string
  readonly lines: readonly SessionLine[]
}

type Row = Readonly<Record<string, unknown>>
type Change = (lines: SessionLine[], random: Random) => string

export function makeVariant(
  bases: Readonly<Record<string, readonly SessionLine[]>>,
  random: Random,
): Variant {
  const base = random.pick(Object.keys(bases))
  const lines = [...bases[base]!]
  const steps = [base]
  const count = 1 + random.below(4)
  for (let i = 0; i < count; i++) steps.push(random.pick(changes)(lines, random))
  return { name: steps.join(', '), lines }
}

export function bytesOf(lines: readonly SessionLine[]): Buffer {
  const parts = lines.flatMap((line) => [
    Buffer.isBuffer(line) ? line : Buffer.from(JSON.stringify(line)),
    Buffer.from('\n'),
  ])
  return Buffer.concat(parts)
}

const KINDS: Readonly<Record<string, (row: Row) => boolean>> = {
  prompt: (row) => row['type'] === 'user' && typeof row['promptSource'] === 'string',
  result: (row) => row['type'] === 'user' && row['toolUseResult'] !== undefined,
  'other user row': (row) =>
    row['type'] === 'user' &&
    row['toolUseResult'] === undefined &&
    row['promptSource'] === undefined,
  text: (row) => row['type'] === 'assistant' && blockType(row) === 'text',
  'tool call': (row) => row['type'] === 'assistant' && blockType(row) === 'tool_use',
  thinking: (row) => row['type'] === 'assistant' && blockType(row) === 'thinking',
  attachment: (row) => row['type'] === 'attachment',
  system: (row) => row['type'] === 'system',
}

/** Picks the kind first, so that rare kinds are as likely as common ones. */
function pickRow(lines: readonly SessionLine[], random: Random): { row: Row; what: string } {
  const rows = chainRows(lines)
  const kinds = Object.keys(KINDS).filter((kind) => rows.some(KINDS[kind]!))
  if (kinds.length === 0) return { row: { uuid: random.uuid() }, what: 'nothing' }
  const what = random.pick(kinds)
  const row = random.pick(rows.filter(KINDS[what]!))
  return { row, what: `${what} ${rows.indexOf(row)}` }
}

function blockType(row: Row): unknown {
  const content = (row['message'] as { content?: unknown } | undefined)?.content
  return Array.isArray(content) ? (content[0] as { type?: unknown } | undefined)?.type : undefined
}

function chainRows(lines: readonly SessionLine[]): Row[] {
  return lines.filter(
    (line): line is Row => !Buffer.isBuffer(line) && typeof line['uuid'] === 'string',
  )
}

function lastRow(lines: readonly SessionLine[]): Row {
  return chainRows(lines).at(-1) ?? {}
}

function insertSomewhere(lines: SessionLine[], random: Random, ...more: SessionLine[]): void {
  lines.splice(random.below(lines.length + 1), 0, ...more)
}

const LATE = '2027-01-01T00:00:00.000Z'
const EARLY = '2020-01-01T00:00:00.000Z'

function timeFor(lines: readonly SessionLine[], random: Random): { at: string; when: string } {
  const when = random.pick(['newer', 'older', 'same'])
  const same = (lastRow(lines)['timestamp'] as string | undefined) ?? LATE
  return { when, at: when === 'newer' ? LATE : when === 'older' ? EARLY : same }
}

function common(random: Random, parent: unknown, at: string): Row {
  return {
    parentUuid: parent,
    isSidechain: false,
    uuid: random.uuid(),
    timestamp: at,
    userType: 'external',
    entrypoint: 'sdk-cli',
    cwd: '/project',
    sessionId: 'ffffffff-ffff-4fff-8fff-ffffffffffff',
    version: '2.1.325',
    gitBranch: 'HEAD',
  }
}

function userRow(random: Random, parent: unknown, at: string, text: string): Row {
  return {
    ...common(random, parent, at),
    promptId: random.uuid(),
    type: 'user',
    message: { role: 'user', content: text },
    permissionMode: 'bypassPermissions',
    promptSource: 'sdk',
  }
}

function answerRow(random: Random, parent: unknown, at: string, block: object, id?: string): Row {
  return {
    ...common(random, parent, at),
    type: 'assistant',
    message: {
      id: id ?? `msg_${random.uuid()}`,
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [block],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }
}

function pointer(leaf: string | null, explicit: boolean): Row {
  return { type: 'last-prompt', lastPrompt: 'x', leafUuid: leaf, ...(explicit ? { explicit } : {}) }
}

function marker(random: Random, parent: unknown, at: string): Row {
  return {
    ...common(random, parent, at),
    type: 'system',
    subtype: 'informational',
    content: 'marker',
    isMeta: false,
    level: 'info',
  }
}

/** A prompt with an answer, sometimes with two parallel tool calls in between. */
function turn(random: Random, parent: unknown, at: string): Row[] {
  const name = `fork ${random.below(1e6)}`
  const prompt = userRow(random, parent, at, name)
  if (random.chance(0.5))
    return [prompt, answerRow(random, prompt['uuid'], at, { type: 'text', text: `re ${name}` })]
  const id = `msg_${random.uuid()}`
  const calls = [0, 1].map(() => `toolu_${random.uuid()}`)
  const use = (parentOf: Row, call: string): Row =>
    answerRow(
      random,
      parentOf['uuid'],
      at,
      { type: 'tool_use', id: call, name: 'Read', input: { file_path: '/a' } },
      id,
    )
  const first = use(prompt, calls[0]!)
  const second = use(first, calls[1]!)
  const result = (of: Row, call: string): Row => ({
    ...userRow(random, of['uuid'], at, ''),
    promptSource: undefined,
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call, content: 'x' }],
    },
    toolUseResult: 'x',
    sourceToolAssistantUUID: of['uuid'],
  })
  const results = [result(first, calls[0]!), result(second, calls[1]!)]
  const from = random.chance(0.5) ? results[1]! : results[0]!
  if (random.chance(0.5)) results.reverse()
  const text = answerRow(random, from['uuid'], at, { type: 'text', text: `re ${name}` })
  return random.chance(0.5)
    ? [prompt, first, results[0]!, second, results[1]!, text]
    : [prompt, first, second, ...results, text]
}

/** A compaction: the boundary, its summary, and the rows it keeps. */
function compaction(
  lines: readonly SessionLine[],
  random: Random,
  at: string,
): { rows: Row[]; what: string } {
  const rows = chainRows(lines)
  const what = random.pick(['list', 'segment', 'both', 'none', 'boundary anchor'])
  const tip = lastRow(lines)
  const byUuid = new Map(rows.map((row) => [row['uuid'], row]))
  const kept: string[] = []
  const length = 1 + random.below(6)
  for (
    let row: Row | undefined = tip, i = 0;
    row !== undefined && i < length;
    row = byUuid.get(row['parentUuid']), i++
  )
    if (row['type'] === 'user' || row['type'] === 'assistant') kept.unshift(String(row['uuid']))
  const boundary: Row = { ...common(random, null, at), type: 'system', subtype: 'compact_boundary' }
  const summary: Row = {
    ...userRow(random, boundary['uuid'], at, 'This is the summary.'),
    promptSource: undefined,
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  }
  const anchorUuid = what === 'boundary anchor' ? boundary['uuid'] : summary['uuid']
  const withList = what === 'list' || what === 'both' || what === 'boundary anchor'
  const withSegment = what === 'segment' || what === 'both'
  const compactMetadata = {
    trigger: 'manual',
    preTokens: 10,
    ...(withList && kept.length > 0
      ? { preservedMessages: { anchorUuid, uuids: kept, allUuids: kept } }
      : {}),
    ...(withSegment && kept.length > 0
      ? { preservedSegment: { headUuid: kept[0], anchorUuid, tailUuid: kept.at(-1) } }
      : {}),
  }
  const whole: Row = {
    ...boundary,
    content: 'Conversation compacted',
    isMeta: false,
    level: 'info',
    logicalParentUuid: tip['uuid'],
    compactMetadata,
  }
  return { rows: [whole, summary], what: `${what} of ${kept.length}` }
}

/** Goes back before a compaction: a boundary that keeps the whole old chain. */
function boundaryBack(
  lines: readonly SessionLine[],
  random: Random,
  at: string,
): { row: Row; what: string } {
  const rows = chainRows(lines)
  const byUuid = new Map(rows.map((row) => [row['uuid'], row]))
  const { row: target, what } = pickRow(lines, random)
  const chain: Row[] = []
  for (
    let row: Row | undefined = target;
    row !== undefined && !chain.includes(row);
    row = byUuid.get(row['parentUuid'])
  )
    chain.unshift(row)
  const ids = new Set(chain.map((row) => row['uuid']))
  const all = rows
    .filter((row) => ids.has(row['uuid']) || ids.has(row['sourceToolAssistantUUID']))
    .map((row) => row['uuid'])
  const boundary = common(random, null, at)
  const uuid = boundary['uuid']
  return {
    what,
    row: {
      ...boundary,
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      level: 'info',
      logicalParentUuid: target['uuid'],
      compactMetadata: {
        trigger: 'manual',
        preTokens: 0,
        preservedSegment: {
          headUuid: chain[0]?.['uuid'],
          anchorUuid: uuid,
          tailUuid: target['uuid'],
        },
        preservedMessages: { anchorUuid: uuid, uuids: all, allUuids: all },
      },
    },
  }
}

function replace(lines: SessionLine[], old: Row, fresh: SessionLine): void {
  const at = lines.indexOf(old)
  if (at >= 0) lines[at] = fresh
}

const changes: readonly Change[] = [
  function explicitPointer(lines, random) {
    const { row, what } = pickRow(lines, random)
    lines.push(pointer(String(row['uuid']), true))
    return `explicit pointer at ${what}`
  },
  function plainPointer(lines, random) {
    const { row, what } = pickRow(lines, random)
    lines.push(pointer(String(row['uuid']), false))
    return `plain pointer at ${what}`
  },
  function pointerEarlier(lines, random) {
    const { row, what } = pickRow(lines, random)
    const explicit = random.chance(0.5)
    insertSomewhere(lines, random, pointer(String(row['uuid']), explicit))
    return `${explicit ? 'explicit' : 'plain'} pointer earlier in the file at ${what}`
  },
  function redoPointers(lines, random) {
    const { row, what } = pickRow(lines, random)
    const tip = lastRow(lines)
    lines.push(pointer(String(row['uuid']), true), pointer(String(tip['uuid']), true))
    return `explicit pointer at ${what}, then at the last row`
  },
  function oddPointer(lines, random) {
    const leaf = random.pick([null, '00000000-0000-0000-0000-000000000000', random.uuid(), ''])
    const explicit = random.chance(0.6)
    lines.push(pointer(leaf, explicit))
    return `${explicit ? 'explicit' : 'plain'} pointer at ${String(leaf)}`
  },
  function noPointers(lines) {
    const left = lines.filter((line) => Buffer.isBuffer(line) || line['type'] !== 'last-prompt')
    lines.splice(0, lines.length, ...left)
    return 'no pointers'
  },
  function markerAndPointer(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { at, when } = timeFor(lines, random)
    const mark = marker(random, row['uuid'], at)
    lines.push(mark, pointer(String(mark['uuid']), true))
    return `${when} marker and explicit pointer at ${what}`
  },
  function forkAppended(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { at, when } = timeFor(lines, random)
    lines.push(...turn(random, row['uuid'], at))
    return `${when} turn appended under ${what}`
  },
  function forkWithPointer(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { at, when } = timeFor(lines, random)
    const rows = turn(random, row['uuid'], at)
    const explicit = random.chance(0.3)
    lines.push(...rows, pointer(String(random.pick(rows)['uuid']), explicit))
    return `${when} turn appended under ${what} with ${explicit ? 'an explicit' : 'a'} pointer`
  },
  function forkInserted(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { at, when } = timeFor(lines, random)
    insertSomewhere(lines, random, ...turn(random, row['uuid'], at))
    return `${when} turn inserted under ${what}`
  },
  function tipContinued(lines, random) {
    const { at, when } = timeFor(lines, random)
    lines.push(...turn(random, lastRow(lines)['uuid'] ?? null, at))
    return `${when} turn appended under the last row`
  },
  function systemRow(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { at, when } = timeFor(lines, random)
    lines.push(marker(random, row['uuid'], at))
    return `${when} system row under ${what}`
  },
  function metaRow(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { at, when } = timeFor(lines, random)
    lines.push({
      ...userRow(random, row['uuid'], at, 'meta text'),
      isMeta: true,
      promptSource: undefined,
    })
    return `${when} meta row under ${what}`
  },
  function swapped(lines, random) {
    const at = random.below(Math.max(1, lines.length - 1))
    const other = Math.min(lines.length - 1, at + 1 + random.below(8))
    const [a, b] = [lines[at], lines[other]]
    if (a !== undefined && b !== undefined) [lines[at], lines[other]] = [b, a]
    return `lines ${at} and ${other} swapped`
  },
  function movedToTheEnd(lines, random) {
    const { row, what } = pickRow(lines, random)
    if (lines.includes(row)) {
      lines.splice(lines.indexOf(row), 1)
      lines.push(row)
    }
    return `${what} moved to the end`
  },
  function repeated(lines, random) {
    const { row, what } = pickRow(lines, random)
    const copy = random.chance(0.3) ? { ...row, timestamp: LATE } : row
    if (random.chance(0.5)) lines.push(copy)
    else insertSomewhere(lines, random, copy)
    return `${what} repeated`
  },
  function rowLost(lines, random) {
    const { row, what } = pickRow(lines, random)
    if (lines.includes(row)) lines.splice(lines.indexOf(row), 1)
    return `${what} lost`
  },
  function parentUnknown(lines, random) {
    const { row, what } = pickRow(lines, random)
    const far = random.chance(0.3)
    replace(lines, row, { ...row, parentUuid: random.uuid(), ...(far ? { timestamp: LATE } : {}) })
    return `${what} with an unknown parent${far ? ' and a late time' : ''}`
  },
  function parentNone(lines, random) {
    const { row, what } = pickRow(lines, random)
    replace(lines, row, { ...row, parentUuid: null })
    return `${what} without a parent`
  },
  function otherParent(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { row: other, what: otherWhat } = pickRow(lines, random)
    replace(lines, row, { ...row, parentUuid: other['uuid'] })
    return `${what} with ${otherWhat} as its parent`
  },
  function torn(lines, random) {
    const { row, what } = pickRow(lines, random)
    const whole = JSON.stringify(row)
    insertSomewhere(lines, random, Buffer.from(whole.slice(0, 1 + random.below(whole.length - 1))))
    return `half of ${what} as a line of its own`
  },
  function tornInPlace(lines, random) {
    const { row, what } = pickRow(lines, random)
    const whole = JSON.stringify(row)
    replace(lines, row, Buffer.from(whole.slice(0, 1 + random.below(whole.length - 1))))
    return `${what} torn`
  },
  function spliced(lines, random) {
    const at = random.below(Math.max(1, lines.length - 1))
    const pair = lines.slice(at, at + 2)
    const whole = bytesOf(pair)
    if (pair.length === 2)
      lines.splice(
        at,
        2,
        Buffer.from(whole.toString('latin1').slice(0, -1).replace('\n', ''), 'latin1'),
      )
    return `lines ${at} and ${at + 1} on one line`
  },
  function nulBlock(lines, random) {
    const { row, what } = pickRow(lines, random)
    const nuls = Buffer.alloc(1 + random.below(600))
    if (random.chance(0.5)) insertSomewhere(lines, random, nuls)
    else replace(lines, row, Buffer.concat([nuls, Buffer.from(JSON.stringify(row))]))
    return `NUL bytes, maybe before ${what}`
  },
  function progressRow(lines, random) {
    const { row, what } = pickRow(lines, random)
    const progress: Row = {
      ...common(random, row['parentUuid'], String(row['timestamp'])),
      type: 'progress',
      data: { type: 'hook_progress' },
      toolUseID: 'x',
    }
    const at = lines.indexOf(row)
    if (at >= 0) lines.splice(at, 1, progress, { ...row, parentUuid: progress['uuid'] })
    return `a progress row before ${what}`
  },
  function progressAtTheEnd(lines, random) {
    const { row, what } = pickRow(lines, random)
    lines.push({
      ...common(random, row['uuid'], LATE),
      type: 'progress',
      data: { type: 'hook_progress' },
    })
    return `a progress row at the end under ${what}`
  },
  function sidechain(lines, random) {
    const { row, what } = pickRow(lines, random)
    const { at, when } = timeFor(lines, random)
    const parent = random.chance(0.5) ? null : row['uuid']
    const rows = turn(random, parent, at).map((each) => ({ ...each, isSidechain: true }))
    if (random.chance(0.5)) lines.push(...rows)
    else insertSomewhere(lines, random, ...rows)
    return `${when} sidechain turn, maybe under ${what}`
  },
  function compacted(lines, random) {
    const { at, when } = timeFor(lines, random)
    const { rows, what } = compaction(lines, random, at)
    lines.push(...rows)
    return `${when} compaction keeping ${what}`
  },
  function compactedAndContinued(lines, random) {
    const { at, when } = timeFor(lines, random)
    const { rows, what } = compaction(lines, random, at)
    lines.push(...rows, ...turn(random, rows.at(-1)!['uuid'], at))
    return `${when} compaction keeping ${what}, and a turn`
  },
  function backBehindBoundary(lines, random) {
    const { at, when } = timeFor(lines, random)
    const { row, what } = boundaryBack(lines, random, at)
    lines.push(row)
    return `${when} boundary back to ${what}`
  },
  function cut(lines, random) {
    const at = 1 + random.below(lines.length)
    lines.splice(at)
    return `cut after line ${at}`
  },
]
