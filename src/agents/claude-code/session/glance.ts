import { readEnds, type FileEnds } from '#disk'
import { branchRecordIn } from './branch-record.ts'
import { classifyUserRow, field, string } from '../rows/index.ts'
import { intoLine, readLine } from '../rows/index.ts'
import type { Title } from '../rows/index.ts'
import type { ClaudeFile } from './session-files.ts'
import { parseObject } from '../../parse-object.ts'
import type { SessionSummary } from '../../session-file.ts'
import { modifiedAt, oneLine, projectOf, titlesOf } from './summary.ts'

/** How much is read of the start of a file, where the prompt nearly always is, and of its end. */
const HEAD = 4 * 1024
const LONG_HEAD = 32 * 1024
const TAIL = 4 * 1024

/** How rows with a title begin; nothing else at the end of a file is needed here. */
const TITLES = ['custom-title', 'ai-title', 'summary'].map((type) =>
  Buffer.from(`{"type":"${type}"`),
)
const NEWLINE = 0x0a
const TYPE_INITIAL = 0x74

/**
 * Reads only both ends of a file: enough to list five thousand sessions. The buffer can be reused.
 */
export function glance(file: ClaudeFile, buffer = glanceBuffer()): SessionSummary {
  const { size } = file.identity
  let ends = readEnds(file.path, size, buffer, { first: HEAD, last: TAIL })
  let head = glanceHead(buffer, ends.first)
  if (head.prompt === '' && ends.first < size) {
    ends = readEnds(file.path, size, buffer, { first: LONG_HEAD, last: TAIL })
    head = glanceHead(buffer, ends.first)
  }
  const titles = glanceTail(buffer, ends)
  const firstPrompt = oneLine(head.prompt)
  const isUntitled = titles.length === 0 && !file.hasMore
  return {
    agent: file.agent,
    id: file.id,
    path: file.path,
    ...(isUntitled
      ? { title: firstPrompt, givenTitle: null }
      : titlesOf(file, { titles }, head.prompt)),
    project: projectOf(file, head.cwds),
    updatedAt: modifiedAt(file),
    bornAt: file.bornAt.toISOString(),
    // The buffer still holds bytes of another file after these.
    branch: branchRecordIn(buffer, ends.first),
    firstPrompt,
    counted: null,
  }
}

export function glanceBuffer(): Buffer {
  return Buffer.allocUnsafe(LONG_HEAD + TAIL)
}

/** Reads rows up to the first prompt, which gives the title and the project. */
function glanceHead(bytes: Buffer, length: number): { cwds: string[]; prompt: string } {
  const cwds: string[] = []
  let start = 0
  for (;;) {
    const at = bytes.indexOf(NEWLINE, start)
    if (at === -1 || at >= length) return { cwds, prompt: '' }
    const row = parseObject(bytes.toString('utf8', start, at))
    start = at + 1
    const cwd = string(field(row, 'cwd'))
    if (cwd !== null) cwds.push(cwd)
    const prompt = row?.['type'] === 'user' ? classifyUserRow(row) : null
    if (prompt !== null && prompt.kind !== 'not-a-turn') return { cwds, prompt: prompt.text }
  }
}

function glanceTail(bytes: Buffer, { lastFrom, lastTo }: FileEnds): Title[] {
  // Created on demand: most files have no title here, and finding that out is cheaper.
  let into: ReturnType<typeof intoLine> | null = null
  // The first line is nearly always incomplete.
  let start = lastFrom === 0 ? 0 : lineAfter(bytes, lastFrom, lastTo)
  for (let next; start < lastTo; start = next) {
    next = lineAfter(bytes, start, lastTo)
    if (bytes[start + 2] !== TYPE_INITIAL || bytes[next - 1] !== NEWLINE) continue
    const line = bytes.subarray(start, next)
    if (!TITLES.some((title) => line.subarray(0, title.length).equals(title))) continue
    into ??= intoLine()
    readLine(bytes, start, next - 1, start + 1, into)
  }
  return into === null ? [] : into.line.titles
}

/** The start of the next line, or `to`. */
function lineAfter(bytes: Buffer, at: number, to: number): number {
  const newline = bytes.indexOf(NEWLINE, at)
  return newline === -1 || newline >= to ? to : newline + 1
}
