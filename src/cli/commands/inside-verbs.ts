import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { withContext } from '../verb.ts'

const loadHook = async () => (await import('./implementations.ts')).hook
// Slow to load, and only this verb needs it.
const serving = () => import('#server')

/** Commands that run inside an agent: hook handlers and the MCP tools. */
export function addInside(program: Command): void {
  program
    .command('hook', { hidden: true })
    .description('answer a hook of the agent; reads the event from standard input')
    .argument('<event>', 'UserPromptSubmit or SessionEnd')
    .argument('[agent]', 'the agent that runs the hook; default: the first')
    .action((event: string, agent: string | undefined) =>
      withContext({}, loadHook, (context, { hook }) => hook(context, event, agent)),
    )
  program
    .command('reopen', { hidden: true })
    .description('reopen Claude Code where a pending move leads, once it is idle')
    .argument('<session>')
    .option('--after <pid>', 'wait for this process to end first')
    .action((session: string, { after }: { after?: string }) =>
      withContext({}, loadHook, (context, { reopen }) =>
        reopen(context, session, after === undefined ? null : Number(after)),
      ),
    )
  program
    .command('mcp')
    .description('tools for the model, over standard input and output (MCP)')
    // The output is JSON anyway, but scripts pass `--json` to every verb.
    .option('--json', 'accepted for consistency; output is always JSON')
    .exitOverride()
    .action(() =>
      withContext({}, serving, async ({ machine, environment }, { serveMcp }) => {
        const session = environment.inside?.session ?? null
        const desk = { machine, parent: process.ppid, session, plans: new Map() }
        await serveMcp(desk, packageJson.version)
      }),
    )
}
