import { durableDisk, nameBytes } from '#disk'
import { Failure } from '#failure'
import { allCells, findProjectKey, openStore } from '#store'
import type { Cell, TurnId } from '#timeline'
import type { Machine } from './machine.ts'

/**
 * The cells that are recorded of a project, by turn. Looking must not make a store: a project
 * that Retake has never changed has none.
 */
export function knownCells(machine: Machine, project: string | null): Map<TurnId, Cell[]> {
  const disk = durableDisk
  const { data } = machine.places
  const stat = project === null ? null : disk.stat(nameBytes(project))
  if (project === null || stat?.kind !== 'directory') return new Map()
  const root = { path: project, stat }
  const key = findProjectKey(disk, data, root)
  if (disk.stat(nameBytes(`${data}/projects/${key}/store.db`)) === null) return new Map()
  try {
    using store = openStore({ data, disk, root })
    return Map.groupBy(
      allCells(store).map(({ cell }) => cell),
      ({ turn }) => turn,
    )
  } catch (error) {
    // A session can be read without Retake's own memory. Whatever would change something opens
    // the store too, and says what is wrong with it.
    if (error instanceof Failure) return new Map()
    throw error
  }
}
