import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { within } from '../verb.ts'
import { hook } from './hook.ts'

/** What Claude Code itself starts: an answer to a hook, and tools for the model. */
export function addInside(program: Command): void {
  program
    .command('hook', { hidden: true })
    .description('answer a hook of Claude Code, whose event is on standard input')
    .argument('<event>', 'UserPromptSubmit or SessionEnd')
    .action((event: string) =>
      within({}, async (context) => hook(context, event, await text(process.stdin))),
    )
  program
    .command('mcp')
    .description('tools for the model, over standard input and output (MCP)')
    .exitOverride()
    .action(() =>
      within({}, async ({ machine, environment }) => {
        // Not needed by any other verb, and slow to load.
        const { serveMcp } = await import('#server')
        const session = environment.inside?.session ?? null
        const desk = { machine, parent: process.ppid, session, plans: new Map() }
        await serveMcp(desk, packageJson.version)
      }),
    )
}
