import { linksOfPath } from '#store'
import {
  numberOf,
  pathsOf,
  sameValue,
  type Cell,
  type FilePlan,
  type Plan,
  type TurnId,
} from '#timeline'
import { sessionsWithTurn, type Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import { readSession, type ReadSession } from '../session/index.ts'

/**
 * Names the turn, of this session or another, whose changes stay in a file or conflict with the
 * plan, so that they are not taken for the user's. Names none if the user changed the file too.
 */
export function nameOtherTurns(
  machine: Machine,
  project: Project,
  { report: { id }, tree }: ReadSession,
  plan: Plan,
  cells: readonly Cell[],
): Plan {
  const moved = new Set<string | null>([
    ...plan.turns,
    ...plan.cells.map(({ after }) => after.turn),
  ])
  const named = (file: FilePlan): FilePlan => {
    if (file.verb !== 'conflict' && file.verb !== 'merge' && file.why !== 'kept-mine') return file
    const turn = otherTurn(project, file, moved, cells)
    if (turn === null) return file
    if (turn === 'none') return { ...file, changedBy: { session: id, turn: null } }
    const session = tree.turns.has(turn) ? id : sessionsWithTurn(machine, turn)[0]
    if (session === undefined) return file
    const there =
      session === id ? tree : readSession(machine, { session, project: null }, project).tree
    return { ...file, changedBy: { session, turn: numberOf(there, turn) } }
  }
  return { ...plan, files: plan.files.map(named) }
}

/**
 * The newest turn that is in the file and not in the plan; `none` if only turns changed the file
 * and none of them is in it; null if the user changed it.
 */
function otherTurn(
  { store }: Project,
  { path, pre }: FilePlan,
  moved: ReadonlySet<string | null>,
  cells: readonly Cell[],
): TurnId | 'none' | null {
  const links = linksOfPath(store, path)
  const last = links.at(-1)
  // If the file differs from the last link, the user changed it since.
  if (last === undefined || !sameValue(last.after, pre)) return null
  const isMoved = ({ author }: typeof last): boolean =>
    author.kind === 'turn' && moved.has(author.id)
  const others = links
    .slice(links.findIndex(isMoved) + 1)
    .filter((link) => !isMoved(link) && link.author.kind !== 'operation')
  if (others.some(({ author }) => author.kind !== 'turn')) return null
  const isIn = ({ author }: typeof last): boolean =>
    cells.some((cell) => cell.in && cell.turn === author.id && pathsOf(cell).includes(path))
  return (others.findLast(isIn)?.author.id ?? 'none') as TurnId | 'none'
}
