import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { changing, naming, verb, within, type Flags } from '../verb.ts'

const branching = async () => (await import('./doing.ts')).branching

export function addBranches(program: Command): void {
  changing(program, 'switch', 'move to another branch; the files follow')
    .argument('<branch>', 'its name, its id or the beginning of it; the trunk is `main`')
    .option('--turn <turn>', 'to this turn of the branch; default: its tip')
    .action((branch: string, flags: Flags & { turn?: string }) =>
      within(flags, branching, (context, { switchBranch }) => switchBranch(context, flags, branch)),
    )
  verb(program, 'branches', 'the branches of a session').action((flags: CommonFlags) =>
    within(flags, branching, (context, { branches }) => branches(context)),
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
      within(flags, branching, (context, { branchAfter }) => branchAfter(context, flags, turn)),
    )
  naming(branch, 'rename', 'give a branch a name, or a branch session a title')
    .argument('<branch>', 'or the id of a branch session')
    .argument('<name>')
    .action((text: string, name: string, flags: Flags) =>
      within(flags, branching, (context, { rename }) =>
        rename(context, flags, { branch: text, name }),
      ),
    )
  naming(branch, 'delete', 'do not show branches any more; what others share stays')
    .argument('<branch...>')
    .action((branches: string[], flags: Flags) =>
      within(flags, branching, (context, { markBranches }) =>
        markBranches(context, flags, { verb: 'branch-delete', branches }),
      ),
    )
  naming(branch, 'archive', 'fold branches away')
    .argument('<branch...>')
    .option('--off', 'show them again')
    .action((branches: string[], flags: Flags & { off?: boolean }) =>
      within(flags, branching, (context, { markBranches }) =>
        markBranches(context, flags, {
          verb: flags.off === true ? 'branch-unarchive' : 'branch-archive',
          branches,
        }),
      ),
    )
  naming(branch, 'canonical', 'make a branch the main line; the old one is archived')
    .argument('<branch>')
    .action((text: string, flags: Flags) =>
      within(flags, branching, (context, { makeCanonical }) => makeCanonical(context, flags, text)),
    )
}

function addCheckpoints(program: Command): void {
  naming(program, 'checkpoint', 'give a turn a name that can stand wherever a turn can')
    .argument('[name]', 'default: point-1, point-2 …')
    .option('--turn <turn>', 'default: the turn the session stands at')
    .option('--delete', 'forget the name; the turn stays')
    .action((name: string | undefined, flags: Flags & { turn?: string; delete?: boolean }) =>
      within(flags, branching, (context, { nameTurn }) => nameTurn(context, flags, name)),
    )
  verb(program, 'checkpoints', 'the turns that have names').action((flags: CommonFlags) =>
    within(flags, branching, (context, { checkpoints }) => checkpoints(context)),
  )
}
