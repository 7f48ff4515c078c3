import { observeProject, openProject } from '#engine'
import { helloSession } from '../agent/index.ts'
import { machineOf } from '../care/in-process.ts'
import type { Scene } from '../scene.ts'

/**
 * A session with the turn "hello", and one look at the project, as the hooks of that turn take it.
 * Without the look a slow machine could begin the next turn before the files were ever seen.
 */
export async function helloSeen(s: Scene): Promise<string> {
  const id = await helloSession(s)
  using machine = machineOf(s)
  using project = openProject(machine, s.project)
  observeProject(machine, project)
  return id
}
