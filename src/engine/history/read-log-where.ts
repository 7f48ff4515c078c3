import { stateOf, type LogReport, type Tree, type TurnId, type TurnReport } from '#timeline'
import {
  branchRules,
  reportBranches,
  reportTurn,
  withSession,
  type SessionQuery,
} from '../session/index.ts'
import type { Machine } from '../ground/index.ts'

/** Which turns of a session to show; all given conditions must hold. */
export interface LogFilter {
  /** Show only this many turns, the last ones of the current line. */
  readonly last?: number
  /** Sent at this time or later, in milliseconds since 1970. */
  readonly since?: number
  /** Text in the prompt, ignoring case. */
  readonly words?: string
  /** A file that the turn changed, or a directory with one. */
  readonly path?: string
}

export interface FoundTurns {
  readonly log: LogReport
  /** The number of turns on the current line, and how many of them are undone. */
  readonly all: { readonly turns: number; readonly undone: number }
  /** Matching turns before the first one shown, if `last` cuts the list. */
  readonly earlier: number
}

/** Reads only the turns shown, so a long session costs little. A path filter has to read all. */
export function readLogWhere(
  machine: Machine,
  wanted: SessionQuery,
  filter: LogFilter,
): FoundTurns {
  const { last, path } = filter
  return withSession(machine, wanted, ({ report, open, tree }, known) => {
    const reportOne = (id: TurnId): TurnReport => reportTurn(open, tree, id, known).report
    const ids = chosen(tree, filter)
    const found = path === undefined ? ids : ids.filter((id) => changes(reportOne(id), path))
    const shown = last === undefined ? found : found.slice(-last)
    return {
      log: {
        session: report,
        head: tree.head,
        turns: shown.map(reportOne),
        branches: reportBranches(tree, branchRules(machine)),
        damage: open.damage,
      },
      all: {
        turns: tree.line.length,
        undone: tree.line.filter((id) => stateOf(tree, id) === 'undone').length,
      },
      earlier: found.length - shown.length,
    }
  })
}

function chosen(tree: Tree, { last, since, words }: LogFilter): TurnId[] {
  // Turns of other branches may be newer than the whole line: "the last five" means the line's.
  const all = last === undefined ? [...tree.turns.keys()] : tree.line
  const wanted = words?.toLowerCase()
  return all.filter((id) => {
    const { prompt, at } = tree.turns.get(id)!
    if (tree.deleted.has(id)) return false
    if (since !== undefined && !(Date.parse(at ?? '') >= since)) return false
    return wanted === undefined || prompt.toLowerCase().includes(wanted)
  })
}

function changes({ files }: TurnReport, path: string): boolean {
  const isMeant = (each: string): boolean => each === path || each.startsWith(`${path}/`)
  return files.some((file) => isMeant(file.path) || isMeant(file.from ?? ''))
}
