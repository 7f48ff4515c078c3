import { createFiles, readRanges, statPath, type NewFile } from '#disk'
import type { PlannedStep } from '#store'
import { relocateStep } from '../../file-steps.ts'
import type { BranchRequest, MovePlan } from '../../open-session.ts'
import { branchRecordLine } from '../session/index.ts'
import { findBackups } from '../steps/index.ts'
import { conversationAt, isSameConversation, lineAt } from '../chain/index.ts'
import { findLastKept } from './move.ts'
import { NAME } from '../steps/index.ts'
import { fileHistoryDirectory } from '../steps/index.ts'
import { findResume } from '../chain/index.ts'
import type { Row } from '../rows/index.ts'
import type { ClaudeSession } from '../session/index.ts'
import { subagentFilesOf } from '../steps/index.ts'

/**
 * A new session that begins with the line up to a turn, made like the agent's own `/branch`: the
 * same rows with the same uuids, naming the new session and the row they were copied from;
 * checkpoints with their backups, and the files of subagents. The original session is only read.
 */
export function planBranch(config: string, session: ClaudeSession, wish: BranchRequest): MovePlan {
  const { rows } = session.transcript
  const target = findLastKept(session, wish.turn, wish.next)
  const past = target === null ? null : conversationAt(rows, target)
  if (past === null || past.rows.length === 0) return { kind: 'not-movable', why: 'no-row' }
  const line = lineAt(rows, target!)
  const pointer = { place: Infinity, length: 0, leaf: past.end.uuid, explicit: true }
  if (!isSameConversation(findResume(line, [pointer]).chain, past.rows))
    return { kind: 'not-movable', why: 'behind-compaction' }
  return { kind: 'step', step: filesOf(config, session, wish, { line, end: past.end }) }
}

/** Removes a branch session with everything that was created for it. */
export function planUnbranch(config: string, { file }: ClaudeSession, tag: string): PlannedStep {
  const { moves } = placesOf(config, file.path, { session: file.id, tag })
  const { inode, size } = file.identity
  const there = moves.filter(({ to }) => statPath(to) !== null)
  return relocateStep(NAME, {
    kind: 'remove',
    moves: there.map(({ from, to }) => ({ from: to, to: from })).toReversed(),
    expected: { inode, size },
  })
}

/** Whether a branch session has rows that its parent does not have. */
export function wasContinued(branch: ClaudeSession, parent: ClaudeSession): boolean {
  const known = new Set(parent.transcript.rows.map(({ uuid }) => uuid))
  return branch.transcript.rows.some(({ uuid }) => !known.has(uuid))
}

interface Places {
  /** In rename order; the transcript, which others look for, comes last. */
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  readonly history: string
  readonly beside: string
  readonly transcript: string
}

/** Temporary names, used until the operation is about to end, and the final names. */
function placesOf(
  config: string,
  parent: string,
  { session, tag }: { session: string; tag: string },
): Places {
  const directory = parent.slice(0, parent.lastIndexOf('/'))
  const toHistory = fileHistoryDirectory(config, session)
  const history = `${toHistory.slice(0, toHistory.lastIndexOf('/'))}/.retake-${tag}`
  const [beside, transcript] = [`${directory}/.retake-${tag}`, `${directory}/.retake-${tag}.part`]
  return {
    moves: [
      { from: history, to: toHistory },
      { from: beside, to: `${directory}/${session}` },
      { from: transcript, to: `${directory}/${session}.jsonl` },
    ],
    history,
    beside,
    transcript,
  }
}

function filesOf(
  config: string,
  session: ClaudeSession,
  wish: BranchRequest,
  { line, end }: { line: readonly Row[]; end: Row },
): PlannedStep {
  const { path } = session.file
  const places = placesOf(config, path, { session: wish.session, tag: wish.session })
  const { rows: checkpoints, backups } = findBackups(session.transcript, line)
  const copies = [
    ...backups.map((name) => ({
      from: `${fileHistoryDirectory(config, session.file.id)}/${name}`,
      to: `${places.history}/${name}`,
    })),
    ...subagentFilesOf(path, line).map((file) => ({
      from: file,
      to: `${places.beside}/subagents/${file.slice(file.lastIndexOf('/') + 1)}`,
    })),
  ].filter(({ from }) => statPath(from)?.isFile() === true)
  const all = [...line, ...checkpoints].sort((a, b) => a.place - b.place)
  const files: NewFile[] = [
    ...copies.map(({ from, to }) => ({ path: to, chunks: () => bytesOf(from) })),
    {
      path: `${places.beside}/custom-title.json`,
      chunks: () => [Buffer.from(JSON.stringify({ customTitle: wish.title }))],
    },
    { path: places.transcript, chunks: () => linesOf(session, wish, { rows: all, end }) },
  ]
  const moves = places.moves.filter(({ from }) =>
    files.some((file) => file.path === from || file.path.startsWith(`${from}/`)),
  )
  return relocateStep(NAME, { kind: 'make', moves, expected: null }, (disk) =>
    createFiles(disk, files),
  )
}

function* linesOf(
  session: ClaudeSession,
  wish: BranchRequest,
  { rows, end }: { rows: readonly { place: number; length: number }[]; end: Row },
): Generator<Buffer> {
  const { session: sessionId, title, number, turn, at } = wish
  const parent = session.file.id
  const record = {
    parentSessionId: parent,
    rewindFromTurn: number,
    turn,
    rewoundAt: at.toISOString(),
  }
  yield Buffer.from(branchRecordLine(sessionId, record))
  using file = readRanges(session.file.path)
  for (const { place, length } of rows)
    yield ownLine(file.read(place, length), { session: sessionId, parent })
  const last = [
    { type: 'custom-title', customTitle: title, sessionId },
    { type: 'agent-name', agentName: title, sessionId },
    { type: 'last-prompt', leafUuid: end.uuid, explicit: true, sessionId },
  ]
  yield Buffer.from(last.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

/** Larger rows are copied unchanged; the agent goes by the file's name anyway. */
const MAX_PARSED = 32 * 1024 * 1024

function ownLine(bytes: Buffer, ids: { session: string; parent: string }): Buffer {
  const newline = Buffer.from('\n')
  if (bytes.length > MAX_PARSED) return Buffer.concat([bytes, newline])
  const row = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
  if (typeof row['uuid'] !== 'string') return Buffer.concat([bytes, newline])
  const own = {
    ...row,
    sessionId: ids.session,
    ...(row['session_id'] === undefined ? {} : { session_id: ids.session }),
    forkedFrom: { sessionId: ids.parent, messageUuid: row['uuid'] },
  }
  return Buffer.from(`${JSON.stringify(own)}\n`)
}

const CHUNK_BYTES = 4 * 1024 * 1024

function* bytesOf(path: string): Generator<Buffer> {
  using file = readRanges(path)
  for (let at = 0; at < file.size; at += CHUNK_BYTES)
    yield file.read(at, Math.min(CHUNK_BYTES, file.size - at))
}
