import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, within } from '../verb.ts'
import type { CareFlags } from './care.ts'

const caring = async () => (await import('./doing.ts')).caring
const forgetting = async () => (await import('./doing.ts')).forgetting
const setting = async () => (await import('./doing.ts')).setting

/** What is kept, for how long, and what the user decides about it. */
export function addCare(program: Command): void {
  asking(program, 'gc', 'let go of what nothing needs and what is older than the retention').action(
    (flags: CommonFlags & CareFlags) =>
      within(flags, caring, (context, { collectGarbage }) => collectGarbage(context, flags)),
  )
  asking(program, 'forget', 'erase Retake’s copies of a branch for good')
    .argument('<branch>', 'its name, or the beginning of its id')
    .action((branch: string, flags: CommonFlags & CareFlags) =>
      within(flags, forgetting, (context, { forget }) => forget(context, branch, flags)),
    )
  asking(program, 'purge', 'erase every content of a file that Retake holds')
    .argument('<path>')
    .action((path: string, flags: CommonFlags & CareFlags) =>
      within(flags, forgetting, (context, { purge }) => purge(context, path, flags)),
    )
  verb(program, 'rescue', 'write a session back whose transcript the agent lost')
    .argument('<id>', 'the session, or the beginning of its id')
    .option('--dry-run', 'say what would be written, write nothing')
    .option('-y, --yes', 'do not ask')
    .action((id: string, flags: CommonFlags & CareFlags) =>
      within(flags, caring, (context, { rescue }) => rescue(context, id, flags)),
    )
  const settings = program
    .command('settings')
    .description('what you can decide: show, or `set KEY VALUE`')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((flags: CommonFlags) =>
      within(flags, setting, (context, { showSettings }) => showSettings(context)),
    )
  settings
    .command('set')
    .description('change one setting')
    .argument('<key>')
    .argument('<value...>', 'sizes as 500MB or 2GB; `include` takes several patterns')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((key: string, words: string[], _: object, command: Command) =>
      within(command.optsWithGlobals<CommonFlags>(), setting, (context, { setSetting }) =>
        setSetting(context, key, words),
      ),
    )
}

/** A verb whose effect cannot be undone. */
function asking(program: Command, name: string, description: string): Command {
  return verb(program, name, description)
    .option('--dry-run', 'say what would happen, change nothing')
    .option('-y, --yes', 'do not ask')
}
