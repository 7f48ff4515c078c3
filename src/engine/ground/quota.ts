import { type Disk, listDirectory, nameBytes, statPath } from '#disk'
import { findProjectKey } from '#store'
import type { KeptReport } from '#timeline'
import type { Machine } from './machine.ts'
import { projectRoot } from './project-root.ts'
import { usableSettings } from './settings-file.ts'

const WARNING = 0.8

export function measureKept(machine: Machine, project: string | null): KeptReport {
  const { data } = machine.places
  const { quota } = usableSettings(machine)
  const all = sizeBelow(data)
  return {
    project:
      project === null ? 0 : sizeOfProject(machine.disk, data, projectRoot(machine, project)),
    all,
    transcripts: sizeBelow(`${data}/vault`),
    quota,
    level: all >= quota ? 'full' : all >= quota * WARNING ? 'warning' : 'fine',
  }
}

function sizeOfProject(disk: Disk, data: string, path: string): number {
  const stat = disk.stat(nameBytes(path))
  if (stat === null) return 0
  return sizeBelow(`${data}/projects/${findProjectKey(disk, data, { path, stat })}`)
}

/** Whether the quota is used up: scans then capture nothing, but operations keep what they need. */
export function isFull(machine: Machine): boolean {
  return sizeBelow(machine.places.data) >= usableSettings(machine).quota
}

/** A project has only a few files: measuring them is cheaper than a counter that can drift. */
function sizeBelow(directory: string): number {
  return listDirectory(directory).reduce((sum, { name, kind }) => {
    const path = `${directory}/${name}`
    return sum + (kind === 'directory' ? sizeBelow(path) : Number(statPath(path)?.size ?? 0))
  }, 0)
}
