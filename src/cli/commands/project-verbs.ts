import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { within } from '../verb.ts'

const placing = async () => (await import('./doing.ts')).placing

export function addProject(program: Command): void {
  const project = program
    .command('project')
    .description('say where a project is: `move OLD NEW`')
    .exitOverride()
  project
    .command('move')
    .description('a directory was moved or renamed: its sessions belong to the new one')
    .argument('<old>', 'where it was')
    .argument('<new>', 'where it is now')
    .option('--dry-run', 'say what would change, write nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((from: string, to: string, flags: CommonFlags & { dryRun?: boolean }) =>
      within({ ...flags, project: to }, placing, (context, { moveProject }) =>
        moveProject(context, { from, to }, flags),
      ),
    )
}
