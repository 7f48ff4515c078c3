import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { withContext } from '../verb.ts'
import type { InstallFlags } from './install.ts'

const loadInstall = async () => (await import('./implementations.ts')).install

type Flags = CommonFlags & InstallFlags

export function addInstall(program: Command): void {
  verb(program, 'install', 'install hooks, so that Retake sees what shell commands do to files')
    .option(
      '--scope <scope>',
      'user (all projects) or project (shared with everyone who works on it)',
    )
    .option('--dry-run', 'show what would change; write nothing')
    .option('--launcher', 'also write ~/.local/bin/retake, so that other programs find Retake')
    .option('--alias', 'also let your shell run `retake claude` for `claude`; shows the line first')
    .option('-y, --yes', 'do not ask')
    .action((flags: Flags) =>
      withContext(flags, loadInstall, (context, { install }) => install(context, flags)),
    )
  program
    .command('observe [session] [occasion]', { hidden: true })
    .description('record the files of this directory; run by hooks')
  verb(program, 'uninstall', 'remove the hooks from the settings')
    .option('--scope <scope>', 'user or project; default: both')
    .option('--dry-run', 'show what would change; write nothing')
    .option('-y, --yes', 'do not ask')
    .action((flags: Flags) =>
      withContext(flags, loadInstall, (context, { uninstall }) => uninstall(context, flags)),
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
