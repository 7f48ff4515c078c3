import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { within } from '../verb.ts'
import type { InstallFlags } from './install.ts'

const installing = async () => (await import('./doing.ts')).installing

type Flags = CommonFlags & InstallFlags

export function addInstall(program: Command): void {
  verb(program, 'install', 'let your agent tell Retake when a turn or a shell step runs')
    .option('--scope <scope>', 'user (all projects) or project (shared with who works on it)')
    .option('--dry-run', 'say what would change, write nothing')
    .option('--launcher', 'also write ~/.local/bin/retake, so that every program finds Retake')
    .option('--alias', 'also let your shell run `retake claude` for `claude`; shows the line first')
    .option('-y, --yes', 'do not ask')
    .action((flags: Flags) =>
      within(flags, installing, (context, { install }) => install(context, flags)),
    )
  program
    .command('observe [session] [occasion]', { hidden: true })
    .description('look at the files of this directory; hooks run it at prompts and around steps')
  verb(program, 'uninstall', 'take the hooks out of the settings again')
    .option('--scope <scope>', 'user or project; default: both')
    .option('--dry-run', 'say what would change, write nothing')
    .option('-y, --yes', 'do not ask')
    .action((flags: Flags) =>
      within(flags, installing, (context, { uninstall }) => uninstall(context, flags)),
    )
}

function verb(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--project <dir>', 'the project; default: this directory or the nearest above')
    .option('--json', 'print one JSON object')
    .exitOverride()
}
