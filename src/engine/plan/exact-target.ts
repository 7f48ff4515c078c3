import { Failure, drop, remedy, command } from '#failure'
import { allCells, allScans, hasContent, linksSince, type StoredLink } from '#store'
import {
  absent,
  pathsOf,
  type Cell,
  type CellId,
  type ProjectPath,
  type Target,
  type TurnId,
  type Value,
} from '#timeline'
import {
  detailsOf,
  inspectPresent,
  operationsOf,
  projectContents,
  type Project,
} from '../project/index.ts'
import type { ReadSession } from '../session/index.ts'

/**
 * The whole tree as it was at the end of a turn, or before the first one. Needs a scan between that
 * turn and the next prompt. Every later change is reversed, whoever made it; a path that did not
 * change since is not listed.
 */
export function exactTarget(project: Project, session: ReadSession, to: TurnId | null): Target {
  const { store } = project
  const moment = findMoment(project, session, to)
  const later = linksSince(store, 0).filter((link) => isLater(link, moment))
  const values = new Map<ProjectPath, Value>()
  const directories = new Set(
    allCells(store).flatMap(({ cell }) => (cell.directory === undefined ? [] : [cell.path])),
  )
  for (const link of later) {
    // Only directories that turns made or removed have a value to go back to.
    const isDirectory = link.before.kind === 'absent' && link.after.kind === 'absent'
    if (isDirectory && !directories.has(link.path)) continue
    // Before a rename, the file was at its old path and nothing at its new one.
    const [stood, empty] = link.from === null ? [link.path, null] : [link.from, link.path]
    if (!values.has(stood)) values.set(stood, held(project, link.before))
    if (empty !== null && !values.has(empty)) values.set(empty, absent)
  }
  const then = ledgerAt(project, later, moment.end)
  // A cell can move without changing its file; list its path as well, so that the cell moves back.
  const contents = projectContents(store)
  for (const { cell } of allCells(store))
    for (const path of then.wereIn?.has(cell.id) === true ? pathsOf(cell) : [])
      if (!values.has(path)) values.set(path, inspectPresent(project, path, contents))
  return { ...then, values, wholeTree: true }
}

/** A content that was deleted from the store counts as unknown. */
function held({ store }: Project, value: Value): Value {
  if (value.kind !== 'file' || hasContent(store, value.content)) return value
  return { kind: 'unknown', why: 'Retake no longer has its content' }
}

/**
 * The ledger's highest number at that moment, and for each cell that moved since, whether it was
 * in. The cells alone do not tell: an operation that inverts another restores their old numbers.
 */
function ledgerAt(
  { store }: Project,
  later: readonly StoredLink[],
  end: number,
): Pick<Target, 'seq' | 'wereIn'> {
  // The cells as the first operation since then found them.
  const cells = new Map<CellId, Cell>()
  let seq = Math.min(Number.MAX_SAFE_INTEGER, ...later.map((link) => link.seq))
  let highest = 0
  for (const each of operationsOf(store).toReversed()) {
    const { state, at } = each
    if (state !== 'committed') continue
    const { operation } = detailsOf(each)
    if (at > end) {
      const moved = operation.cells.map(({ after }) => after.since)
      seq = Math.min(seq, operation.seq, ...moved.filter((since) => since > highest))
      for (const { before } of operation.cells)
        if (!cells.has(before.id)) cells.set(before.id, before)
    }
    highest = Math.max(highest, operation.seq)
  }
  const wereIn = new Map([...cells].map(([id, cell]) => [id, cell.in]))
  for (const { cell } of allCells(store)) {
    const found = cells.get(cell.id) ?? cell
    if (wasTakenOutSince(found, seq - 1)) wereIn.set(cell.id, true)
  }
  return { seq: seq - 1, wereIn }
}

/** Whether the agent's own rewind took the cell out: it is no operation, so it leaves no move. */
function wasTakenOutSince(cell: Cell, seq: number): boolean {
  return !cell.in && cell.last === null && cell.since > seq && cell.seq <= seq
}

interface Moment {
  readonly end: number
  /** When the scan that saw this state ended. */
  readonly seen: number
}

/**
 * Links of turns carry the time of the scan that saw them; all others carry their own time. A
 * change between the turn's end and that scan came later: by the agent's own rewind or by the user.
 */
function isLater({ author, at }: StoredLink, { end, seen }: Moment): boolean {
  const isOfTurn = author.kind === 'turn' || author.kind === 'shared' || author.kind === 'unsure'
  return at > (isOfTurn ? seen : end)
}

/**
 * The end of the turn, and the first scan that began after it and ended before the next turn.
 * Before the first turn: the last scan.
 */
function findMoment({ store }: Project, { open, tree }: ReadSession, to: TurnId | null): Moment {
  const scans = allScans(store)
  if (scans.length === 0)
    throw new Failure('no-snapshot', 'Retake has no snapshot of this project.', {
      hint: remedy`${command('install')} to take one before every prompt. ${drop('exact')} to undo what the turns did.`,
    })
  const { turns } = open.conversation
  const place = to === null ? -1 : turns.findIndex(({ turn }) => turn.id === to)
  const next = turns[place + 1]
  const until =
    next === undefined ? Number.POSITIVE_INFINITY : (open.factsOf(next.turn.id).started ?? -1)
  const from = to === null ? Number.NEGATIVE_INFINITY : (open.factsOf(to).ended ?? until)
  const fitting = scans.filter(({ began, at }) => began >= from && at <= until)
  const scan = to === null ? fitting.at(-1) : fitting[0]
  if (scan !== undefined) return { end: to === null ? scan.at : from, seen: scan.at }
  const number = to === null ? null : (tree.places.get(to) ?? 0) + 1
  const when = number === null ? 'before the first turn' : `right after turn ${number}`
  throw new Failure('no-snapshot', `There is no snapshot from ${when}.`, {
    hint: remedy`The state of the whole project at that time is not known. ${drop('exact')} to undo what the turns did.`,
  })
}
