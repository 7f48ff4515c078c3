import { nameBytes } from '#disk'
import { allCells, listOperations, STORE_FORMAT } from '#store'
import { listKnownProjects } from '../project/index.ts'
import { listSessions, openKnownProject } from '../session/index.ts'
import { findAgentVersion } from './agent-version.ts'
import { measureKept, type Machine } from '../ground/index.ts'

/** Counts and sizes for a bug report: nothing here is the user's text, path or name. */
export interface Shapes {
  readonly agents: readonly {
    readonly name: string
    readonly version: string | null
    readonly tested: boolean
  }[]
  readonly storeFormat: number
  readonly projects: number
  readonly sessions: { readonly all: number; readonly here: number; readonly open: number }
  readonly bytes: { readonly all: number; readonly project: number; readonly transcripts: number }
  /** The kernel's number for the project's file system. */
  readonly fileSystem: string | null
  readonly changes: number
  readonly operations: Readonly<Record<string, number>>
}

export async function readShapes(machine: Machine, directory: string): Promise<Shapes> {
  const { disk } = machine
  using project = openKnownProject(machine, directory)
  const { all, project: here, transcripts } = measureKept(machine, directory)
  const sessions = listSessions(machine, null)
  const path = nameBytes(directory)
  const operations = project === null ? [] : listOperations(project.store)
  return {
    agents: await Promise.all(
      machine.agents.map(async (agent) => {
        const version = (await findAgentVersion(machine, agent, directory))?.version ?? null
        const tested = version !== null && agent.versions.isMeasured(version)
        return { name: agent.words.name, version, tested }
      }),
    ),
    storeFormat: STORE_FORMAT.migrations.length,
    projects: listKnownProjects(machine).length,
    sessions: {
      all: sessions.length,
      here: listSessions(machine, directory).length,
      open: sessions.filter(({ live }) => live !== null).length,
    },
    bytes: { all, project: here, transcripts },
    fileSystem: disk.stat(path) === null ? null : `0x${disk.space(path).type.toString(16)}`,
    changes: project === null ? 0 : allCells(project.store).length,
    operations: Object.fromEntries(
      [...Map.groupBy(operations, ({ verb, state }) => `${verb} ${state}`)].map(([kind, each]) => [
        kind,
        each.length,
      ]),
    ),
  }
}
