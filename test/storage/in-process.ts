import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openMachine, type Machine, type Places } from '#engine'
import type { Scene } from '../scene.ts'

type Around = Pick<Scene, 'home' | 'project' | 'env'>

/** The places of a scene, as the command line would compute them. */
export function placesOf({ home, project, env }: Around): Places {
  return {
    agents: { 'claude-code': join(home, '.claude') },
    config: `${env['XDG_CONFIG_HOME']}/retake`,
    data: `${env['XDG_DATA_HOME']}/retake`,
    cache: `${env['XDG_CACHE_HOME']}/retake`,
    state: `${env['XDG_STATE_HOME']}/retake`,
    runtime: `${env['XDG_RUNTIME_DIR']}/retake`,
    home,
    self: [process.execPath, 'retake'],
    programs: [],
    git: { excludes: join(home, 'none'), configs: [], attributes: [] },
    cwd: project,
  }
}

/** A machine in this process whose clock can be moved forward by days. */
export function machineOf(s: Around): Machine & { later(days: number): void } {
  let ahead = 0
  const machine = openMachine(placesOf(s), {
    now: () => new Date(Date.now() + ahead),
    newId: randomUUID,
  })
  return Object.assign(machine, {
    later(days: number) {
      ahead += days * 24 * 60 * 60 * 1000
    },
  })
}
