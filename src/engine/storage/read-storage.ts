import { Failure } from '#failure'
import type { StorageReport } from '#timeline'
import { deletableFrom, GRACE_DAYS, planGc } from './gc.ts'
import { listKnownProjects, openProject } from '../project/index.ts'
import { measureKept, type Machine } from '../ground/index.ts'

/** What Retake stores of every project, and what a clean-up would free. Changes nothing. */
export function readStorage(machine: Machine): StorageReport {
  const { all, transcripts, quota, level } = measureKept(machine, null)
  return {
    all,
    transcripts,
    quota,
    level,
    graceDays: GRACE_DAYS,
    projects: listKnownProjects(machine).map(({ key, path }) => {
      const { project: bytes } = measureKept(machine, path)
      return { key, path, bytes, collectable: collectableIn(machine, path) }
    }),
  }
}

/** Null if the store cannot be read, so that the other projects are still reported. */
function collectableIn(
  machine: Machine,
  path: string,
): StorageReport['projects'][number]['collectable'] {
  try {
    using project = openProject(machine, path)
    const { id, aside, drop, waiting, operations } = planGc(machine, project)
    const sum = (list: readonly { packed: number }[]): number =>
      list.reduce((total, { packed }) => total + packed, 0)
    return {
      plan: id,
      aside: { contents: aside.length, bytes: sum(aside) },
      deleted: { contents: drop.length, bytes: sum(drop) },
      waiting: {
        contents: waiting.length,
        bytes: sum(waiting),
        from: deletableFrom(waiting)?.toISOString() ?? null,
      },
      operations: operations.length,
    }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
