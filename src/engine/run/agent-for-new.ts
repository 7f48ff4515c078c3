import type { Agent } from '#agents'
import { statPath } from '#disk'
import { agentOf, listSessionFiles, type Machine } from '../ground/index.ts'

/**
 * The agent of a new session if the user names none: that of the project's newest session, else the
 * first one that is used on this machine. Null if no agent can be run.
 */
export function agentForNew(machine: Machine, project: string): Agent | null {
  const able = machine.agents.filter(({ runner }) => runner !== null)
  const [newest] = listSessionFiles(machine, [project]).sort((a, b) =>
    a.identity.modified < b.identity.modified ? 1 : -1,
  )
  const last = newest === undefined ? null : agentOf(machine, newest)
  if (last !== null && able.includes(last)) return last
  const used = able.find(({ directories }) =>
    directories.some(({ path }) => statPath(path) !== null),
  )
  return used ?? able[0] ?? null
}
