import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { withContext } from '../verb.ts'

const loadProject = async () => (await import('./implementations.ts')).project

export function addProject(program: Command): void {
  const project = program
    .command('project')
    .description('tell Retake that a project moved: `move OLD NEW`')
    .exitOverride()
  project
    .command('move')
    .description('the directory OLD is now NEW; its sessions belong to NEW')
    .argument('<old>', 'where it was')
    .argument('<new>', 'where it is now')
    .option('--dry-run', 'show what would change; write nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((from: string, to: string, flags: CommonFlags & { dryRun?: boolean }) =>
      withContext({ ...flags, project: to }, loadProject, (context, { moveProject }) =>
        moveProject(context, { from, to }, flags),
      ),
    )
}
