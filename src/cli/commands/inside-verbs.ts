import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
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
}
