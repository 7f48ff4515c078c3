import { buildTree, type TurnId } from '#timeline'
import { readRanges } from '#disk'
import { branchRecordIn, readBranchRecord, type BranchRecord } from './branch-record.ts'
import { classifyUserRow, field, string } from './prompt.ts'
import { intoLine, readLine } from './read-line.ts'
import type { SessionFile } from './session-files.ts'
import { givenTitle } from './session-title.ts'
import { slugOf } from './places.ts'
import type { Transcript } from './transcript.ts'
import { buildConversation, type Conversation } from './turns.ts'

/** What a list of sessions says about one. */
export interface SessionSummary {
  readonly id: string
  readonly path: string
  readonly title: string
  readonly project: string | null
  readonly updatedAt: string
  readonly bornAt: string
  /** Where a branch session comes from, if Retake made it. */
  readonly branch: BranchRecord | null
  /** The first prompt, whatever the session is called. */
  readonly firstPrompt: string
  /** Null while only the ends of the file have been looked at. */
  readonly counted: {
    readonly turns: number
    /** Prompts and answers on the way to the head. */
    readonly messages: number
    readonly branches: number
    readonly head: TurnId | null
    /** Ids along the file, to see which sessions were forked from which. */
    readonly turnIds: readonly TurnId[]
    readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
    readonly damaged: number
  } | null
}

const LONGEST_TITLE = 200

export function summarize(
  file: SessionFile,
  transcript: Transcript,
  conversation = buildConversation(transcript),
): SessionSummary {
  const turns = conversation.turns.map(({ turn }) => turn)
  const tree = buildTree(file.id, turns, conversation.head)
  const firstPrompt = turns.find((turn) => turn.kind !== 'orphan')?.prompt ?? ''
  const branch = readBranchRecord(file.path)
  const prompts = transcript.rows.flatMap((row) => (row.prompt === null ? [] : [row.prompt]))
  return {
    id: file.id,
    path: file.path,
    title: titleOf(file, transcript, firstPrompt),
    project: projectOf(
      file,
      prompts.map((prompt) => prompt.cwd),
    ),
    updatedAt: later(lastTime(conversation, transcript) ?? modifiedAt(file), branch),
    bornAt: file.bornAt.toISOString(),
    branch,
    firstPrompt: oneLine(firstPrompt),
    counted: {
      turns: tree.line.length,
      messages: countMessages(conversation),
      branches: tree.branches.length,
      head: conversation.head,
      turnIds: turns.map((turn) => turn.id),
      forkedFrom: prompts.find((prompt) => prompt.forkedFrom !== null)?.forkedFrom ?? null,
      damaged: transcript.damage.length,
    },
  }
}

/** What is looked at of a file's beginning, where the prompt nearly always is, and of its end. */
const HEAD = 4 * 1024
const LONG_HEAD = 32 * 1024
const TAIL = 4 * 1024
/** How rows with a title begin; nothing else at the end of a file is of interest here. */
const TITLES = ['custom-title', 'ai-title', 'summary'].map((type) =>
  Buffer.from(`{"type":"${type}"`),
)

/**
 * The ends of the file only: enough to list five thousand sessions without reading them. The
 * buffer is for the bytes and can be used again.
 */
export function glance(file: SessionFile, buffer = glanceBuffer()): SessionSummary {
  using ranges = readRanges(file.path)
  let got = ranges.readInto(buffer, 0, HEAD, 0)
  let head = glanceHead(buffer, got)
  if (head.prompt === '' && ranges.size > HEAD) {
    got = ranges.readInto(buffer, 0, LONG_HEAD, 0)
    head = glanceHead(buffer, got)
  }
  // Behind that stands what another file left there.
  const branch = branchRecordIn(buffer.subarray(0, got))
  const from = Math.max(0, ranges.size - TAIL)
  const { titles } = glanceTail(buffer, ranges.readInto(buffer, 0, TAIL, from))
  return {
    id: file.id,
    path: file.path,
    title: titleOf(file, { titles }, head.prompt),
    project: projectOf(file, head.cwds),
    updatedAt: modifiedAt(file),
    bornAt: file.bornAt.toISOString(),
    branch,
    firstPrompt: oneLine(head.prompt),
    counted: null,
  }
}

export function glanceBuffer(): Buffer {
  return Buffer.allocUnsafe(LONG_HEAD)
}

/** Reads rows until the first prompt: it says what the session is called and where it began. */
function glanceHead(bytes: Buffer, length: number): { cwds: string[]; prompt: string } {
  const cwds: string[] = []
  let start = 0
  for (let at = bytes.indexOf(10); at !== -1 && at < length; at = bytes.indexOf(10, start)) {
    const row = parseObject(bytes.toString('utf8', start, at))
    start = at + 1
    const cwd = string(field(row, 'cwd'))
    if (cwd !== null) cwds.push(cwd)
    const prompt = row?.['type'] === 'user' ? classifyUserRow(row) : null
    if (prompt !== null && prompt.kind !== 'not-a-turn') return { cwds, prompt: prompt.text }
  }
  return { cwds, prompt: '' }
}

function glanceTail(bytes: Buffer, length: number): Pick<Transcript, 'titles'> {
  const into = intoLine()
  // The first line is nearly always cut.
  let start = bytes.indexOf(10) + 1
  for (let at = bytes.indexOf(10, start); at !== -1 && at < length; at = bytes.indexOf(10, start)) {
    if (TITLES.some((beginning) => beginning.compare(bytes, start, start + beginning.length) === 0))
      readLine(bytes, start, at, start + 1, into)
    start = at + 1
  }
  return into.line
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The name a person gave, then the agent's, then the first prompt. */
function titleOf(
  file: SessionFile,
  { titles }: Pick<Transcript, 'titles'>,
  prompt: string,
): string {
  const title =
    givenTitle(file, { titles }) ??
    titles.findLast(({ kind }) => kind === 'generated')?.text ??
    titles.findLast(({ kind }) => kind === 'summary')?.text ??
    prompt
  return oneLine(title)
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST_TITLE)
}

/** A branch is new when it is made, although everything in it was said before. */
function later(updatedAt: string, branch: BranchRecord | null): string {
  return branch !== null && branch.rewoundAt > updatedAt ? branch.rewoundAt : updatedAt
}

function countMessages({ turns, head }: Conversation): number {
  const byId = new Map(turns.map((entry) => [entry.turn.id, entry]))
  let count = 0
  for (let at = head; at !== null; at = byId.get(at)?.turn.parent ?? null) {
    const { turn, rows } = byId.get(at)!
    const answers = rows.flatMap(({ type, messageId }) => (type === 'assistant' ? [messageId] : []))
    count += new Set(answers).size + (turn.kind === 'orphan' ? 0 : 1)
  }
  return count
}

/** The working directory that gave the session's directory its name, else the first one seen. */
function projectOf(file: SessionFile, cwds: readonly (string | null)[]): string | null {
  return (
    cwds.find((cwd) => cwd !== null && slugOf(cwd) === file.slug) ??
    cwds.find((cwd) => cwd !== null) ??
    null
  )
}

function lastTime({ turns }: Conversation, transcript: Transcript): string | null {
  if (turns.length === 0) return null
  let latest: string | null = null
  for (const { at } of transcript.rows) if (at !== null && at > (latest ?? '')) latest = at
  return latest
}

function modifiedAt(file: SessionFile): string {
  return new Date(Number(file.identity.modified / 1_000_000n)).toISOString()
}
