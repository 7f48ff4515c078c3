/**
 * Session files in a line of text, for handmade cases:
 *
 * ```
 * u1@0 a1@1 c1@10 r1@11 a2@12 !a1      two turns, then an explicit pointer to the first answer
 * u1@0 a1@1 u2<-@2 u3<?@9 x1<a1~@10    no parent, one that is not in the file, a sidechain row
 * u1@0 a1@1 b1[s1:u1,a1]@2 s1<b1@2     a compaction that keeps two rows after the summary s1
 * ```
 *
 * The first letter is the kind: `u` a prompt, `a` an answer, `c` a tool call, `r` its result, `m` a
 * row that the agent wrote in the user's name, `s` a summary, `b` a boundary, `x` a system row, `t`
 * an attachment, `q` a prompt sent while the agent worked, `p` a progress row. A row's parent is
 * the row before it unless `<` names another. `@` is its second, `%` the answer a row is part of,
 * `=` the call that a result answers, `~` makes it a sidechain row. Boundaries keep a list
 * `[anchor:rows]`, a segment `{anchor:head,tail}` or both. Pointers are `!` (explicit) and `.`
 * (plain) with a row, `?` for one that is not in the file, `0` for the withdrawal, `-` for null or
 * nothing at all for an empty name.
 */
import { createHash } from 'node:crypto'
import type { SessionLine } from './variants.ts'

type Row = Record<string, unknown>

export function linesOf(notation: string): SessionLine[] {
  const lines: SessionLine[] = []
  let before: string | null = null
  for (const word of notation.split(' ')) {
    if (word.startsWith('!') || word.startsWith('.')) lines.push(pointer(word))
    else {
      const parts = readWord(word, before)
      lines.push(rowOf(parts))
      before = parts.name
    }
  }
  return lines
}

export function uuidOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20)].join('-')
}

/** Sent lines as row names: `r(c1)` is the result of call c1. */
export function namesOf(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line
        .replace(/^\w+: /, '')
        .replace(/^call toolu_/, '')
        .replace(/^result toolu_(.*)$/, 'r($1)'),
    )
    .join(' ')
}

interface Word {
  readonly name: string
  readonly parent: string | null
  readonly second: number | null
  readonly answer: string | null
  readonly call: string
  readonly sidechain: boolean
  readonly list: string | null
  readonly segment: string | null
}

const PART = /([<@%=])([^<@%=~[{]*)|(~)|\[([^\]]*)\]|\{([^}]*)\}/g

function readWord(word: string, before: string | null): Word {
  const name = /^[a-z]+\d*/.exec(word)![0]
  const given = new Map<string, string>()
  for (const [, mark, value, tilde, list, segment] of word.slice(name.length).matchAll(PART)) {
    if (mark !== undefined) given.set(mark, value!)
    if (tilde !== undefined) given.set('~', '')
    if (list !== undefined) given.set('[', list)
    if (segment !== undefined) given.set('{', segment)
  }
  const parent = given.get('<') ?? (name.startsWith('b') ? '-' : (before ?? '-'))
  return {
    name,
    parent: parent === '-' ? null : parent,
    second: given.get('@') === '-' ? null : Number(given.get('@') ?? 0),
    answer: given.get('%') ?? null,
    call: given.get('=') ?? parent,
    sidechain: given.has('~'),
    list: given.get('[') ?? null,
    segment: given.get('{') ?? null,
  }
}

const START = Date.UTC(2026, 5, 1)

function rowOf(word: Word): Row {
  const { name, parent, second, sidechain } = word
  return {
    parentUuid: parent === null ? null : uuidOf(parent),
    isSidechain: sidechain,
    uuid: uuidOf(name),
    ...(second === null ? {} : { timestamp: new Date(START + second * 1000).toISOString() }),
    userType: 'external',
    entrypoint: 'sdk-cli',
    cwd: '/project',
    sessionId: uuidOf('session'),
    version: '2.1.325',
    gitBranch: 'HEAD',
    ...KINDS[name[0]!]!(word),
  }
}

const KINDS: Readonly<Record<string, (word: Word) => Row>> = {
  u: ({ name }) => ({ type: 'user', message: say(name), promptSource: 'sdk' }),
  m: ({ name }) => ({ type: 'user', message: say(name), isMeta: true }),
  s: ({ name }) => ({
    type: 'user',
    message: say(name),
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  }),
  r: ({ call }) => ({
    type: 'user',
    message: {
      role: 'user',
      content: [{ tool_use_id: `toolu_${call}`, type: 'tool_result', content: 'done' }],
    },
    toolUseResult: 'done',
    sourceToolAssistantUUID: uuidOf(call),
  }),
  a: (word) => answer(word, { type: 'text', text: word.name }),
  c: (word) =>
    answer(word, {
      type: 'tool_use',
      id: `toolu_${word.name}`,
      name: 'Read',
      input: { file_path: '/x' },
    }),
  x: () => ({ type: 'system', subtype: 'informational', content: 'x', level: 'info' }),
  t: () => ({ type: 'attachment', attachment: { type: 'date', date: '2026-06-01' } }),
  q: ({ name }) => ({
    type: 'attachment',
    attachment: { type: 'queued_command', prompt: name, origin: { kind: 'human' } },
  }),
  p: () => ({ type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'x' }),
  b: ({ list, segment }) => ({
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: {
      trigger: 'manual',
      preTokens: 1,
      ...(list === null ? {} : { preservedMessages: keptList(list) }),
      ...(segment === null ? {} : { preservedSegment: keptSegment(segment) }),
    },
  }),
}

function say(text: string): object {
  return { role: 'user', content: text }
}

function answer({ name, answer: id }: Word, block: object): Row {
  return {
    type: 'assistant',
    message: {
      ...(id === '' ? {} : { id: `msg_${id ?? name}` }),
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [block],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }
}

function keptList(text: string): object {
  const [anchor, rows] = text.split(':')
  const uuids = rows === '' ? [] : rows!.split(',').map(uuidOf)
  return { anchorUuid: uuidOf(anchor!), uuids, allUuids: uuids }
}

function keptSegment(text: string): object {
  const [anchor, rows] = text.split(':')
  const [head, tail] = rows!.split(',').map(uuidOf)
  return { anchorUuid: uuidOf(anchor!), headUuid: head, tailUuid: tail }
}

function pointer(word: string): Row {
  const name = word.slice(1)
  const leafUuid =
    name === '-'
      ? null
      : name === '0'
        ? '00000000-0000-0000-0000-000000000000'
        : name === ''
          ? ''
          : uuidOf(name)
  return { type: 'last-prompt', leafUuid, ...(word.startsWith('!') ? { explicit: true } : {}) }
}
