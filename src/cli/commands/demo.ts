import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { makeDemo } from '#engine'
import recorded from '../demo-session.json' with { type: 'json' }
import type { Context } from '../context.ts'

/**
 * A recorded session in a scratch directory, and a server that knows nothing else: whoever tries
 * undo there cannot touch anything of their own.
 */
export async function demo(
  context: Context,
  { port }: { port: string | undefined },
): Promise<void> {
  const { machine, environment, json } = context
  const directory = `${tmpdir()}/retake-demo-${machine.newId().slice(0, 8)}`
  const session = machine.newId()
  const { project, variables } = makeDemo(directory, recorded, { session, now: machine.now() })
  context.say(`The project is ${project}: look at its files while you undo and redo.`)
  context.say(`Everything of the demo is in ${directory}; delete it when you are done.`)
  const [program = process.execPath, script = ''] = machine.places.self
  const how = json ? ['--json'] : ['--open']
  const child = spawn(
    program,
    [script, 'serve', ...how, ...(port === undefined ? [] : ['--port', port])],
    { cwd: project, env: { ...environment.agent, ...variables }, stdio: 'inherit' },
  )
  // Ctrl-C reaches the server by itself; this process waits until it has ended.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.exitCode = await new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 0))
  })
  process.off('SIGINT', ignore)
}
