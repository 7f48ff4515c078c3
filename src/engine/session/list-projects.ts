import { createHash } from 'node:crypto'
import { Failure } from '#failure'
import { listSessions } from './list-sessions.ts'
import type { Machine } from '../ground/index.ts'

/** A directory that agents have worked in. */
export interface ProjectReport {
  /** A hash of the path. Clients name projects by it, so that no path comes from a client. */
  readonly id: string
  readonly path: string
  readonly sessions: number
  readonly updatedAt: string
}

/** The projects of all sessions on the machine, the last used first. */
export function listProjects(machine: Machine): ProjectReport[] {
  const found = new Map<string, ProjectReport>()
  for (const { project: path, updatedAt } of listSessions(machine, null)) {
    if (path === null) continue
    const known = found.get(path)
    const newest = known === undefined || known.updatedAt < updatedAt ? updatedAt : known.updatedAt
    found.set(path, {
      id: idOf(path),
      path,
      sessions: (known?.sessions ?? 0) + 1,
      updatedAt: newest,
    })
  }
  return [...found.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
}

export function findProjectById(machine: Machine, id: string): ProjectReport {
  const found = listProjects(machine).find((project) => project.id === id)
  if (found !== undefined) return found
  throw new Failure('project-missing', 'No session ran in that project.', {
    hint: 'Use an id from the list of projects.',
  })
}

function idOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32)
}
