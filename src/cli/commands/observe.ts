import { keepProject, observeProject, openProject, takeEvents } from '#engine'
import type { Context } from '../context.ts'

/** Looks at the files of this directory, for a hook: before a prompt, and after steps. */
export function observe({ machine }: Context, session: string | undefined): void {
  using project = openProject(machine, machine.places.cwd)
  takeEvents(machine, project, session)
  observeProject(machine, project)
  keepProject(machine, project.path)
}
