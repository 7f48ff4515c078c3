import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { Failure } from '#failure'
import { verb, withContext } from '../verb.ts'
import type { CommonFlags } from '../context.ts'

const serving = () => import('./serve.ts')
const showing = () => import('./demo.ts')

interface ServeFlags extends CommonFlags {
  readonly port?: string
  readonly open?: boolean
  readonly signOut?: boolean
}

export function addServe(program: Command): void {
  program
    .command('demo')
    .description('try Retake on a small project with a recorded session')
    .option('--port <port>', 'default: any free port')
    .option('--shell', 'open a shell in it instead of the page')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((flags: ServeFlags & { shell?: boolean }) =>
      withContext(flags, showing, (context, { demo }) =>
        demo(context, { port: flags.port, shell: flags.shell === true }),
      ),
    )
  verb(program, 'serve', 'run the server: web page, HTTP and WebSocket API, on this machine only')
    .option('--port <port>', 'default: any free port')
    .option('--sign-out', 'sign out every browser; do not start the server')
    .addOption(hidden(program, '--open', 'open the page, and end when it is no longer used'))
    .action((flags: ServeFlags) =>
      withContext(flags, serving, (context, { serveHere, signOut }) =>
        flags.signOut === true
          ? signOut(context)
          : serveHere(context, {
              port: readPort(flags.port),
              isOpening: flags.open === true,
              version: packageJson.version,
            }),
      ),
    )
}

function hidden(program: Command, flags: string, description: string) {
  return program.createOption(flags, description).hideHelp()
}

function readPort(text: string | undefined): number {
  if (text === undefined) return 0
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new Failure('usage', `${text} is not a port.`, { hint: 'A port is a number up to 65535.' })
}
