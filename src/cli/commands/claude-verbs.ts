import type { Command } from 'commander'

/** Only for the help: `run-command` handles `claude` before it parses options. */
export function addClaude(program: Command): void {
  program
    .command('claude')
    .description('start Claude Code so that undo also reopens it at the earlier turn')
    .argument('[args...]', 'passed to Claude Code unchanged')
    .helpOption(false)
    .allowUnknownOption()
}
