import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { within } from '../verb.ts'
import { setSetting, showSettings } from './settings.ts'

/** What is kept, for how long, and what the user decides about it. */
export function addCare(program: Command): void {
  const settings = program
    .command('settings')
    .description('what you can decide: show, or `set KEY VALUE`')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((flags: CommonFlags) => within(flags, showSettings))
  settings
    .command('set')
    .description('change one setting')
    .argument('<key>')
    .argument('<value...>', 'sizes as 500MB or 2GB; `include` takes several patterns')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((key: string, words: string[], _: object, command: Command) =>
      within(command.optsWithGlobals<CommonFlags>(), (context) => setSetting(context, key, words)),
    )
}
