import { Failure } from '#failure'
import { listKnownProjects, openProject, operationsOf as listOperations } from '../project/index.ts'
import { listSessionFiles, type Machine } from '../ground/index.ts'

/** Usage figures of this machine. Counted on request; neither stored nor sent anywhere. */
export interface Figures {
  readonly sessions: number
  /** Sessions with at least one operation. */
  readonly sessionsMoved: number
  /** The mean over the sessions whose branches are counted; null if there are none. */
  readonly branchesPerSession: number | null
  readonly operations: number
  /** Operations that failed and were rolled back. */
  readonly operationsFailed: number
  readonly byVerb: Readonly<Record<string, number>>
}

export function readFigures(machine: Machine): Figures {
  const files = listSessionFiles(machine)
  const counted = machine.index
    .summaries(files)
    .flatMap((summary) => (summary.counted === null ? [] : [summary.counted.branches]))
  const operations = listKnownProjects(machine).flatMap(({ path }) => operationsOf(machine, path))
  const moved = new Set(operations.map(({ session }) => session))
  return {
    sessions: files.length,
    sessionsMoved: files.filter(({ id }) => moved.has(id)).length,
    branchesPerSession:
      counted.length === 0 ? null : counted.reduce((sum, n) => sum + n, 0) / counted.length,
    operations: operations.length,
    operationsFailed: operations.filter(({ state }) => state === 'rolled-back').length,
    byVerb: Object.fromEntries(
      [...Map.groupBy(operations, ({ verb }) => verb)].map(([verb, list]) => [verb, list.length]),
    ),
  }
}

/** A store that cannot be read must not hide the others. */
function operationsOf(machine: Machine, path: string) {
  try {
    using project = openProject(machine, path)
    return listOperations(project.store)
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
