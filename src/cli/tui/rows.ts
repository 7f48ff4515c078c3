import type { BranchReport, LogReport, SessionReport, TurnReport } from '#timeline'
import { CURRENT, type State } from './state.ts'

/** A row of the left pane: a session, or a branch of the open one. */
export type TreeRow =
  | {
      readonly kind: 'session'
      readonly key: string
      readonly depth: number
      readonly session: SessionReport
      readonly isOpen: boolean
      readonly folds: 'open' | 'folded' | null
    }
  | {
      readonly kind: 'branch'
      readonly key: string
      readonly depth: number
      readonly branch: BranchReport
    }

/** A row of the right pane. */
export type TurnRow =
  | {
      readonly kind: 'turn'
      readonly key: string
      readonly number: string
      readonly turn: TurnReport
    }
  | { readonly kind: 'current'; readonly key: typeof CURRENT }

const MAX_DEPTH = 20

/** Sessions newest first, forked ones below their parent; the open one with its branches. */
export function treeRows({ sessions, log, folded, filter }: State): TreeRow[] {
  const here = new Set(sessions.map(({ id }) => id))
  const rows: TreeRow[] = []
  const add = (session: SessionReport, depth: number): void => {
    const isOpen = session.id === log?.session.id
    const branches = isOpen ? shownBranches(log) : []
    const children = sessions.filter(
      ({ id, parent }) => parent?.session === session.id && id !== session.id,
    )
    const isFolded = folded.has(session.id)
    const folds = branches.length + children.length === 0 ? null : isFolded ? 'folded' : 'open'
    rows.push({ kind: 'session', key: session.id, depth, session, isOpen, folds })
    // Parents are older, so this ends; the depth limit stops at a forged cycle.
    if (isFolded || depth > MAX_DEPTH) return
    for (const branch of branches)
      rows.push({ kind: 'branch', key: `branch ${branch.id}`, depth: depth + 1, branch })
    for (const child of children) add(child, depth + 1)
  }
  for (const session of sessions)
    if (session.parent === null || !here.has(session.parent.session)) add(session, 0)
  return rows.filter((row) => matches(filter.text, wordsOfRow(row), row))
}

/** A single branch needs no row. */
function shownBranches({ branches }: LogReport): readonly BranchReport[] {
  return branches.length < 2 ? [] : branches
}

/** The open session always matches, because the filter applies to its turns. */
function matches(wanted: string, words: string, row: TreeRow): boolean {
  if (row.kind === 'branch' || row.isOpen) return true
  return words.toLowerCase().includes(wanted.toLowerCase())
}

function wordsOfRow(row: TreeRow): string {
  return row.kind === 'session'
    ? `${row.session.title} ${row.session.id} ${row.session.agent}`
    : row.branch.label
}

/**
 * The turns of the current line with "(current)" after the head, or all turns of another branch,
 * numbered from its first turn.
 */
export function turnRows({ log, branch, filter }: State): readonly TurnRow[] {
  if (log === null) return []
  // Cached, because every key needs the rows several times.
  const key = `${branch} ${filter.text}`
  const known = remembered.get(log)
  if (known?.key === key) return known.rows
  const rows = findTurnRows({ log, branch, filter })
  remembered.set(log, { key, rows })
  return rows
}

const remembered = new WeakMap<LogReport, { key: string; rows: readonly TurnRow[] }>()

function findTurnRows({
  log,
  branch,
  filter,
}: Pick<State, 'branch' | 'filter'> & { readonly log: LogReport }): TurnRow[] {
  const shown = log.branches.find(({ id }) => id === branch)
  const wanted = filter.text.toLowerCase()
  const isWanted = (turn: TurnReport): boolean => wanted === '' || wordsOf(turn).includes(wanted)
  const rows = (turns: readonly TurnReport[]): TurnRow[] =>
    turns.map((turn, i) => ({ kind: 'turn', key: turn.turn.id, number: String(i + 1), turn }))
  if (shown !== undefined && !shown.current)
    return rows(lineTo(log, shown.tip)).filter((row) => row.kind !== 'turn' || isWanted(row.turn))
  const line = rows(log.turns.filter(({ number }) => number !== null))
  const head = line.findIndex(({ key }) => key === log.head)
  const all = line.toSpliced(head + 1, 0, { kind: 'current', key: CURRENT })
  return all.filter((row) => row.kind === 'current' || isWanted(row.turn))
}

function lineTo({ turns }: LogReport, tip: string): TurnReport[] {
  const byId = new Map<string, TurnReport>(turns.map((turn) => [turn.turn.id, turn]))
  const line: TurnReport[] = []
  for (let at = byId.get(tip); at !== undefined && line.length <= turns.length;) {
    line.unshift(at)
    at = at.turn.parent === null ? undefined : byId.get(at.turn.parent)
  }
  return line
}

const lowered = new WeakMap<TurnReport, string>()

function wordsOf(report: TurnReport): string {
  const known = lowered.get(report)
  if (known !== undefined) return known
  const { turn, files, checkpoints, commands } = report
  const paths = files.map(({ path }) => path)
  const words = [turn.prompt, ...paths, ...checkpoints, ...commands, turn.id].join('\n')
  const lower = words.toLowerCase()
  lowered.set(report, lower)
  return lower
}

/** The selected turn; null on "(current)" or if there is none. */
export function selectedTurn(state: State): Extract<TurnRow, { kind: 'turn' }> | null {
  const row = turnRows(state).find(({ key }) => key === state.turnRow)
  return row?.kind === 'turn' ? row : null
}

export function selectedTreeRow(state: State): TreeRow | null {
  const rows = treeRows(state)
  return (
    rows.find(({ key }) => key === state.treeRow) ??
    rows.find((row) => row.kind === 'session' && row.isOpen) ??
    rows[0] ??
    null
  )
}
