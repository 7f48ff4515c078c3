import { Failure } from '#failure'
import { holdProcessLock } from '#store'
import { recoverProject } from '../apply/index.ts'
import { listKnownProjects, openProject } from '../project/index.ts'
import type { Machine } from '../ground/index.ts'

/**
 * Makes this process the machine's server for as long as it lives; null if there already is one.
 */
export function holdServerLock({ places, disk }: Machine): Disposable | null {
  return holdProcessLock(disk, places.runtime, 'server.lock')
}

/**
 * Finishes or rolls back interrupted operations in all projects. Reports a project that cannot be
 * opened.
 */
export async function recoverKnownProjects(
  machine: Machine,
  tell: (said: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  for (const { path } of listKnownProjects(machine))
    try {
      using project = openProject(machine, path)
      for (const { operation, how } of await recoverProject(machine, project))
        if (how !== 'tidied') tell({ recovered: operation.id, verb: operation.verb, how })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      tell({ notRecovered: path, code: error.code })
    }
}
