import { nameBytes } from '#disk'
import { Failure } from '#failure'
import { findProjectKey, listProjects, type KnownProject } from '#store'
import type { Machine } from '../ground/index.ts'
import { openProject } from './open-project.ts'
import type { Project } from './project.ts'

/**
 * The projects that have a store and still exist at the same path. Their keys are safe to expose.
 */
export function listKnownProjects({ places: { data }, disk }: Machine): KnownProject[] {
  return listProjects(disk, data).filter(({ key, path }) => {
    const stat = disk.stat(nameBytes(path))
    return stat?.kind === 'directory' && findProjectKey(disk, data, { path, stat }) === key
  })
}

/** Opens a project by its key, which is never used as a path. */
export function openKnown(machine: Machine, key: string): Project {
  const known = listKnownProjects(machine).find((project) => project.key === key)
  if (known === undefined)
    throw new Failure('project-missing', 'Retake does not know that project.', {
      hint: 'Use an id from the list of operations.',
    })
  return openProject(machine, known.path)
}
