import { createFiles } from '#disk'
import type { PlannedStep } from '#store'
import { relocateStep } from '../../file-steps.ts'
import type { BranchRequest, MovePlan } from '../../open-session.ts'
import { isCompressed, openRollout, type Rollout } from '../rows/index.ts'
import type { CodexSession } from '../session/index.ts'
import { NAME } from '../steps/index.ts'
import { cutAfter, type Cut } from './cut.ts'
import { firstLine } from './first-line.ts'
import { newRolloutPath } from './new-path.ts'

/**
 * A new thread that continues after a turn. It names the rollout that it continues. A rollout in the
 * older format, whose rows have no numbers, is copied up to the turn; so is a compressed one, which
 * Codex 0.148.0 cannot continue in another.
 */
export function planBranch(session: CodexSession, wish: BranchRequest): MovePlan {
  const { file, shelf, entryOf } = session
  const { rollout, rows } = entryOf(wish.turn)
  const copies = rollout.outline.meta?.isPaginated !== true || isCompressed(rollout.path)
  const cut = copies ? baseOf(rollout) : cutAfter(session, wish.turn, wish.next)
  const record = {
    parentSessionId: file.id,
    rewindFromTurn: wish.number,
    turn: wish.turn,
    title: wish.title,
    rewoundAt: wish.at.toISOString(),
  }
  const line = firstLine(session, { cut, at: wish.at, branch: { id: wish.session, record } })
  if (line === null || (!copies && cut === null)) return { kind: 'not-movable', why: 'no-row' }
  const ids = { thread: wish.session, rollout: wish.session }
  const to = newRolloutPath(shelf.home, ids, wish.at)
  const from = `${to.slice(0, to.lastIndexOf('/'))}/.retake-${wish.session}.part`
  const chunks = copies ? () => copyOf(rollout.path, line, rows.end) : () => [line]
  const step = relocateStep(NAME, { kind: 'make', moves: [{ from, to }], expected: null }, (disk) =>
    createFiles(disk, [{ path: from, chunks }]),
  )
  return { kind: 'step', step }
}

/** Removes a thread that Retake made. */
export function planUnbranch({ file }: CodexSession, tag: string): PlannedStep {
  const { inode, size } = file.identity
  const to = `${file.path.slice(0, file.path.lastIndexOf('/'))}/.retake-${tag}`
  const moves = [{ from: file.path, to }]
  return relocateStep(NAME, { kind: 'remove', moves, expected: { inode, size } })
}

/** Whether a branch session has turns after those that it was made with. */
export function wasContinued({ conversation, current }: CodexSession): boolean {
  const made = current.outline.meta?.branch?.rewindFromTurn ?? 0
  return conversation.turns.length > made
}

/** Where the rollout that a copy is made of began to continue another one. */
function baseOf({ path, outline }: Rollout): Cut | null {
  const base = outline.meta?.base ?? null
  return base === null ? null : { path, ...base }
}

const CHUNK_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

function* copyOf(path: string, line: Buffer, end: number): Generator<Buffer> {
  yield line
  using file = openRollout(path)
  let isFirst = true
  for (let at = 0; at < end;) {
    const bytes = file.read(at, Math.min(CHUNK_BYTES, end - at))
    if (bytes.length === 0) return
    at += bytes.length
    const newline = isFirst ? bytes.indexOf(NEWLINE) : -1
    if (!isFirst) yield bytes
    else if (newline >= 0) {
      isFirst = false
      yield bytes.subarray(newline + 1)
    }
  }
}
