import type { Command } from 'commander'
import { findTurn } from '#engine'
import { changing, within, type Flags } from '../verb.ts'
import { back, change, rewindTo, type RewindFlags } from './change.ts'
import { pathInProject } from './history.ts'
import { readCount } from './read-count.ts'

export function addChanges(program: Command): void {
  changing(program, 'undo', 'take the last turn back, files and conversation; or the last N')
    .argument('[n]', 'how many turns')
    .option('--whole', 'also empty the conversation when its first turn goes')
    .option('--keep-prompt', 'only the answer goes; the prompt stays in the conversation')
    .action((n: string | undefined, flags: Flags) =>
      within(flags, (context) =>
        change(context, flags, () => ({ verb: 'undo', count: readCount(n) })),
      ),
    )
  changing(program, 'redo', 'bring the next undone turn again; or the next N')
    .argument('[n]', 'how many turns')
    .option('--all', 'all undone turns')
    .action((n: string | undefined, flags: Flags & { all?: boolean }) =>
      within(flags, (context) =>
        change(context, flags, () => ({
          verb: 'redo',
          count: flags.all === true ? 'all' : readCount(n),
        })),
      ),
    )
  changing(program, 'back', 'the conversation alone, one turn back').action((flags: Flags) =>
    within(flags, (context) => back(context, flags)),
  )
  changing(program, 'rewind', 'keep everything up to and including a turn; 0 is before the first')
    .argument('[turn]', 'the last turn to keep')
    .option('--before <turn>', 'to the moment its prompt was sent')
    .option('--whole', 'also empty the conversation when going before the first turn')
    .option('--exact', 'the whole tree as it was then, whoever changed it since')
    .action((turn: string | undefined, flags: Flags & RewindFlags) =>
      within(flags, (context) =>
        change(context, flags, (session) => rewindTo(session, turn, flags)),
      ),
    )
  changing(program, 'revert', 'take the files of one turn out, and keep the later ones')
    .argument('<turn>')
    .option('--off', 'bring them back')
    .action((turn: string, flags: Flags & { off?: boolean }) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }) => ({
          verb: 'revert',
          turn: findTurn(tree, turn),
          off: flags.off === true,
        })),
      ),
    )
  changing(program, 'restore', 'single files, as they were after a turn')
    .argument('<path...>')
    .requiredOption('--at <turn>', 'the turn; 0 is before the first')
    .action((paths: string[], flags: Flags & { at: string }) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }, project) => ({
          verb: 'restore',
          paths: paths.map((path) => pathInProject(context, project, path)),
          at: flags.at === '0' ? null : findTurn(tree, flags.at),
        })),
      ),
    )
}
