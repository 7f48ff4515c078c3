import type { SessionSummary } from '../../session-file.ts'
import { isContext, openRolloutHead, parseRow, textOf, type Row } from '../rows/index.ts'
import { metaOf, type CodexFile } from './shelf.ts'
import { modifiedAt, oneLine } from './summary.ts'

/** How much is read of the start of a file: the first prompt is nearly always in it. */
const HEAD = 128 * 1024
const NEWLINE = 0x0a

/** Reads only the start of a file: enough for a list of thousands. */
export function glance(file: CodexFile): SessionSummary {
  const firstPrompt = oneLine(firstPromptIn(file.path))
  return {
    agent: file.agent,
    id: file.id,
    path: file.path,
    title: oneLine(file.name ?? firstPrompt),
    givenTitle: file.name,
    project: metaOf(file.path)?.cwd ?? null,
    updatedAt: modifiedAt(file),
    bornAt: file.bornAt.toISOString(),
    branch: null,
    firstPrompt,
    counted: null,
  }
}

function firstPromptIn(path: string): string {
  using file = openRolloutHead(path)
  const bytes = file.read(0, HEAD)
  for (let start = 0, end = 0; ; start = end + 1) {
    end = bytes.indexOf(NEWLINE, start)
    if (end < 0) return ''
    const row = parseRow(bytes, start, end)
    const text = row === null ? null : promptOf(row)
    if (text !== null) return text
  }
}

function promptOf({ type, kind, payload }: Row): string | null {
  if (type === 'event_msg' && kind === 'user_message') return textOf(payload?.['message'])
  if (type !== 'response_item' || kind !== 'message' || payload?.['role'] !== 'user') return null
  const text = textOf(payload['content'])
  return isContext(text) ? null : text
}
