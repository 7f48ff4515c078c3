import { linksOfPath } from '#store'
import { numberOf, sameValue, type FilePlan, type PlanReport, type TurnId } from '#timeline'
import { sessionsWithTurn, type Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import { readSession, type ReadSession } from '../session/index.ts'

/** Names the other session whose turn changed a file in conflict: it was not the user. */
export function nameOtherSessions(
  machine: Machine,
  project: Project,
  { report: { id }, tree }: ReadSession,
  report: PlanReport,
): PlanReport {
  const named = (file: FilePlan): FilePlan => {
    if (file.verb !== 'conflict') return file
    const last = linksOfPath(project.store, file.path).at(-1)
    // What stands there now must be what that turn left; else somebody changed it since.
    const author = last !== undefined && sameValue(last.after, file.pre) ? last.author : undefined
    if (author?.kind !== 'turn' || author.id === null || tree.turns.has(author.id as TurnId))
      return file
    const turn = author.id as TurnId
    const other = sessionsWithTurn(machine, turn).find((session) => session !== id)
    if (other === undefined) return file
    const there = readSession(machine, { session: other, project: null }, project)
    return { ...file, changedBy: { session: other, turn: numberOf(there.tree, turn) } }
  }
  return { ...report, files: report.files.map(named) }
}
