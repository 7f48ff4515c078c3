import type { Command as Program } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, within } from '../verb.ts'
import { addVerb } from './table-verbs.ts'

const branching = async () => (await import('./doing.ts')).branching

export function addBranches(program: Program): void {
  addVerb(program, 'switch')
  verb(program, 'branches', 'list the branches of a session').action((flags: CommonFlags) =>
    within(flags, branching, (context, { branches }) => branches(context)),
  )
  // What stands behind the inner verb is the inner verb's.
  const branch = addVerb(program, 'branch').enablePositionalOptions()
  for (const inner of [
    'branch-rename',
    'branch-delete',
    'branch-archive',
    'branch-canonical',
  ] as const)
    addVerb(branch, inner)
  addVerb(program, 'checkpoint')
  verb(program, 'checkpoints', 'list the checkpoints').action((flags: CommonFlags) =>
    within(flags, branching, (context, { checkpoints }) => checkpoints(context)),
  )
}
