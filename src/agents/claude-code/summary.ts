import { buildTree, type TurnId } from '#timeline'
import { readRanges, readSmallFile } from '#disk'
import { classifyUserRow, field, string } from './prompt.ts'
import { emptyLine, readLine } from './read-line.ts'
import type { SessionFile } from './session-files.ts'
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
  /** Null while only the ends of the file have been looked at. */
  readonly counted: {
    readonly turns: number
    readonly branches: number
    readonly head: TurnId | null
    /** Ids along the file, to see which sessions were forked from which. */
    readonly turnIds: readonly TurnId[]
    readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
    readonly damaged: number
  } | null
}

const LONGEST_TITLE = 200

export function summarize(file: SessionFile, transcript: Transcript): SessionSummary {
  const conversation = buildConversation(transcript)
  const turns = conversation.turns.map(({ turn }) => turn)
  const tree = buildTree(file.id, turns, conversation.head)
  const prompts = transcript.rows.flatMap((row) => (row.prompt === null ? [] : [row.prompt]))
  return {
    id: file.id,
    path: file.path,
    title: titleOf(file, transcript, turns.find((turn) => turn.kind !== 'orphan')?.prompt ?? ''),
    project: projectOf(
      file,
      prompts.map((prompt) => prompt.cwd),
    ),
    updatedAt: lastTime(conversation, transcript) ?? modifiedAt(file),
    bornAt: file.bornAt.toISOString(),
    counted: {
      turns: tree.line.length,
      branches: tree.branches.length,
      head: conversation.head,
      turnIds: turns.map((turn) => turn.id),
      forkedFrom: prompts.find((prompt) => prompt.forkedFrom !== null)?.forkedFrom ?? null,
      damaged: transcript.damage.length,
    },
  }
}

/** The ends of the file only: enough to list five thousand sessions without reading them. */
export function glance(file: SessionFile): SessionSummary {
  using ranges = readRanges(file.path)
  const first = linesOf(ranges.read(0, 16 * 1024), 'first')
  const last = linesOf(ranges.read(Math.max(0, ranges.size - 8 * 1024), 8 * 1024), 'last')
  const rows = first.flatMap((line) => parseRow(line))
  const prompts = rows.flatMap((row) => {
    const prompt = field(row, 'type') === 'user' ? classifyUserRow(row) : null
    return prompt === null ? [] : [prompt]
  })
  const { titles } = readAll(last)
  const prompt = prompts.find(({ kind }) => kind !== 'not-a-turn')?.text ?? ''
  return {
    id: file.id,
    path: file.path,
    title: titleOf(file, { titles }, prompt),
    project: projectOf(
      file,
      rows.map((row) => string(field(row, 'cwd'))),
    ),
    updatedAt: modifiedAt(file),
    bornAt: file.bornAt.toISOString(),
    counted: null,
  }
}

function readAll(lines: readonly Buffer[]): Pick<Transcript, 'titles'> {
  const read = emptyLine()
  for (const line of lines) readLine(line, 0, line.length, 1, read)
  return read
}

function linesOf(bytes: Buffer, end: 'first' | 'last'): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, at))
    start = at + 1
  }
  // The first line of the file's end is nearly always cut.
  return end === 'last' ? lines.slice(1) : lines
}

function parseRow(line: Buffer): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : []
  } catch {
    return []
  }
}

/** The name a person gave, then the agent's, then the first prompt. */
function titleOf(
  file: SessionFile,
  { titles }: Pick<Transcript, 'titles'>,
  prompt: string,
): string {
  const named = readSmallFile(`${file.path.replace(/\.jsonl$/, '')}/custom-title.json`, 64 * 1024)
  const custom = named === null ? null : string(field(parseRow(named)[0], 'customTitle'))
  const title =
    custom ??
    titles.findLast(({ kind }) => kind === 'custom')?.text ??
    titles.findLast(({ kind }) => kind === 'generated')?.text ??
    titles.findLast(({ kind }) => kind === 'summary')?.text ??
    prompt
  return title.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST_TITLE)
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
