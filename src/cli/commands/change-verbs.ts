import type { Command } from 'commander'
import { changing, within, type Flags } from '../verb.ts'
import type { RewindFlags } from './change.ts'

const changes = async () => (await import('./doing.ts')).changes

export function addChanges(program: Command): void {
  changing(program, 'undo', 'take the last turn back, files and conversation; or the last N')
    .argument('[n]', 'how many turns')
    .option('--whole', 'also empty the conversation when its first turn goes')
    .option('--keep-prompt', 'only the answer goes; the prompt stays in the conversation')
    .action((n: string | undefined, flags: Flags) =>
      within(flags, changes, (context, { undo }) => undo(context, flags, n)),
    )
  changing(program, 'redo', 'bring the next undone turn again; or the next N')
    .argument('[n]', 'how many turns')
    .option('--all', 'all undone turns')
    .action((n: string | undefined, flags: Flags & { all?: boolean }) =>
      within(flags, changes, (context, { redo }) => redo(context, flags, n)),
    )
  changing(program, 'back', 'the conversation alone, one turn back').action((flags: Flags) =>
    within(flags, changes, (context, { back }) => back(context, flags)),
  )
  changing(program, 'rewind', 'keep everything up to and including a turn; 0 is before the first')
    .argument('[turn]', 'the last turn to keep')
    .option('--before <turn>', 'to the moment its prompt was sent')
    .option('--whole', 'also empty the conversation when going before the first turn')
    .option('--exact', 'the whole tree as it was then, whoever changed it since')
    .action((turn: string | undefined, flags: Flags & RewindFlags) =>
      within(flags, changes, (context, { rewind }) => rewind(context, flags, turn)),
    )
  changing(program, 'revert', 'take the files of one turn out, and keep the later ones')
    .argument('<turn>')
    .option('--off', 'bring them back')
    .action((turn: string, flags: Flags & { off?: boolean }) =>
      within(flags, changes, (context, { revert }) => revert(context, flags, turn)),
    )
  changing(program, 'restore', 'single files, as they were after a turn')
    .argument('<path...>')
    .requiredOption('--at <turn>', 'the turn; 0 is before the first')
    .action((paths: string[], flags: Flags & { at: string }) =>
      within(flags, changes, (context, { restore }) => restore(context, flags, paths)),
    )
}
