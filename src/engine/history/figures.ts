import { Failure } from '#failure'
import { listKnownProjects, openProject, operationsOf as listOperations } from '../project/index.ts'
import { listSessionFiles, type Machine } from '../ground/index.ts'

/** How Retake is used on this machine. Counted when somebody asks, kept and sent nowhere. */
export interface Figures {
  readonly sessions: number
  /** Of those, how many something was undone, redone or rewound in. */
  readonly sessionsMoved: number
  /** The mean over the sessions whose branches are counted; null when none is. */
  readonly branchesPerSession: number | null
  readonly operations: number
  /** Operations that could not be finished and were taken back. */
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

/** One store that cannot be read is no reason not to count the others. */
function operationsOf(machine: Machine, path: string) {
  try {
    using project = openProject(machine, path)
    return listOperations(project.store)
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
