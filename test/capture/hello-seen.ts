import { observeProject, openProject } from '#engine'
import { helloSession } from '../agent/index.ts'
import { machineOf } from '../storage/in-process.ts'
import type { Scene } from '../scene.ts'

/**
 * A session with the turn "hello" and one scan of the project, as the turn's hooks do it. Without
 * the scan, the next turn on a slow machine could start before the first scan.
 */
export async function helloSeen(s: Scene): Promise<string> {
  const id = await helloSession(s)
  using machine = machineOf(s)
  using project = openProject(machine, s.project)
  observeProject(machine, project)
  return id
}
