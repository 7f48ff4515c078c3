import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { tmpdir } from 'node:os'
import { makeDemo } from '#engine'
import recorded from '../demo-session.json' with { type: 'json' }
import type { Context } from '../context.ts'

/**
 * Opens a recorded session in a scratch directory, with a server that knows nothing else. So undo
 * cannot touch the user's own files.
 */
export async function demo(
  context: Context,
  { port, shell }: { port: string | undefined; shell: boolean },
): Promise<void> {
  const { machine, environment } = context
  const directory = `${tmpdir()}/retake-demo-${machine.newId().slice(0, 8)}`
  const session = machine.newId()
  const { project, path, variables } = makeDemo(machine.disk, directory, recorded, {
    session,
    now: machine.now(),
    self: machine.places.self,
  })
  context.say(`The project is in ${project}. Watch its files while you undo and redo.`)
  context.say(`The demo is in ${directory}. Delete it when you are done.`)
  const env = { ...environment.agent, ...variables }
  const child = shell
    ? openShell(context, { project, path, env })
    : openServer(context, { project, port, env })
  // The terminal sends Ctrl-C to the child too; ignore it here and wait for the child to end.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.exitCode = await new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 0))
  })
  process.off('SIGINT', ignore)
}

interface InDemo {
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
}

function openServer(
  { machine, json }: Context,
  { project, port, env }: InDemo & { readonly port: string | undefined },
): ChildProcess {
  const [program = process.execPath, script = ''] = machine.places.self
  const how = json ? ['--json'] : ['--open']
  const words = [script, 'serve', ...how, ...(port === undefined ? [] : ['--port', port])]
  // The server ends when the IPC channel closes, so it ends even if this process is killed.
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc']
  return spawn(program, words, { cwd: project, env, stdio })
}

/** Opens a shell in which `retake` runs this build and sees only the demo. */
function openShell(
  context: Context,
  { project, path, env }: InDemo & { readonly path: string },
): ChildProcess {
  context.say('Try `retake log`, `retake undo`, `retake redo`. `exit` leaves the demo.')
  const PATH = `${path}:${env['PATH'] ?? ''}`
  const shell = env['SHELL'] || '/bin/sh'
  return spawn(shell, [], { cwd: project, env: { ...env, PATH }, stdio: 'inherit' })
}
