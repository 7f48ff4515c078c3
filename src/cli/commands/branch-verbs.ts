import type { Command } from 'commander'
import { findBranch, findTurn, renameOf, switchTo } from '#engine'
import { Failure } from '#failure'
import type { CommonFlags } from '../context.ts'
import { changing, naming, verb, within, type Flags } from '../verb.ts'
import { branches, checkpoints } from './branches.ts'
import { change } from './change.ts'

export function addBranches(program: Command): void {
  changing(program, 'switch', 'move to another branch; the files follow')
    .argument('<branch>', 'its name, its id or the beginning of it; the trunk is `main`')
    .option('--turn <turn>', 'to this turn of the branch; default: its tip')
    .action((branch: string, flags: Flags & { turn?: string }) =>
      within(flags, (context) =>
        change(context, flags, (session) => switchTo(session, branch, flags.turn)),
      ),
    )
  verb(program, 'branches', 'the branches of a session').action((flags: CommonFlags) =>
    within(flags, branches),
  )
  addBranchCare(program)
  addCheckpoints(program)
}

function addBranchCare(program: Command): void {
  const branch = changing(
    program,
    'branch',
    'a new session that starts after a turn; or care of branches',
  )
    .argument('<turn>', 'the last turn to keep')
    .option('--title <title>', 'what it is called; default: the old title and “(Branch)”')
    // What stands behind the inner verb is the inner verb's.
    .enablePositionalOptions()
    .action((turn: string, flags: Flags & { title?: string }) =>
      within(flags, async (context) => {
        await change(context, flags, ({ tree }) => ({
          verb: 'branch',
          turn: findTurn(tree, turn),
          title: readTitle(flags.title),
        }))
      }),
    )
  naming(branch, 'rename', 'give a branch a name, or a branch session a title')
    .argument('<branch>', 'or the id of a branch session')
    .argument('<name>')
    .action((text: string, name: string, flags: Flags) =>
      within(flags, (context) => {
        const { machine, wanted } = context
        const { session, asked } = renameOf(machine, wanted, { branch: text, name })
        const there = { ...context, wanted: { session, project: null } }
        return change(there, flags, () => asked)
      }),
    )
  naming(branch, 'delete', 'do not show branches any more; what others share stays')
    .argument('<branch...>')
    .action((texts: string[], flags: Flags) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }) => ({
          verb: 'branch-delete',
          branches: texts.map((text) => findBranch(tree, text).id),
        })),
      ),
    )
  naming(branch, 'archive', 'fold branches away')
    .argument('<branch...>')
    .option('--off', 'show them again')
    .action((texts: string[], flags: Flags & { off?: boolean }) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }) => ({
          verb: flags.off === true ? 'branch-unarchive' : 'branch-archive',
          branches: texts.map((text) => findBranch(tree, text).id),
        })),
      ),
    )
  naming(branch, 'canonical', 'make a branch the main line; the old one is archived')
    .argument('<branch>')
    .action((text: string, flags: Flags) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }) => ({
          verb: 'branch-canonical',
          branch: findBranch(tree, text).id,
        })),
      ),
    )
}

function addCheckpoints(program: Command): void {
  naming(program, 'checkpoint', 'give a turn a name that can stand wherever a turn can')
    .argument('[name]', 'default: point-1, point-2 …')
    .option('--turn <turn>', 'default: the turn the session stands at')
    .option('--delete', 'forget the name; the turn stays')
    .action((name: string | undefined, flags: Flags & { turn?: string; delete?: boolean }) =>
      within(flags, (context) =>
        change(context, flags, ({ tree }) =>
          flags.delete === true
            ? { verb: 'checkpoint-delete', name: name ?? '' }
            : {
                verb: 'checkpoint',
                name: name ?? null,
                turn: flags.turn === undefined ? null : findTurn(tree, flags.turn),
              },
        ),
      ),
    )
  verb(program, 'checkpoints', 'the turns that have names').action((flags: CommonFlags) =>
    within(flags, checkpoints),
  )
}

function readTitle(text: string | undefined): string | null {
  if (text === undefined) return null
  const title = text.trim().replaceAll(/\s+/g, ' ')
  if (title === '' || title.length > 200)
    throw new Failure('usage', 'A title has from 1 to 200 characters.')
  return title
}
