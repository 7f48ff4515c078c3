import type { Command as Program } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'
import { addVerb } from './table-verbs.ts'

const loadBranches = async () => (await import('./implementations.ts')).branches

export function addBranches(program: Program): void {
  addVerb(program, 'switch')
  verb(program, 'branches', 'list the branches of a session').action((flags: CommonFlags) =>
    withContext(flags, loadBranches, (context, { branches }) => branches(context)),
  )
  // Options after the inner verb belong to the inner verb.
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
    withContext(flags, loadBranches, (context, { checkpoints }) => checkpoints(context)),
  )
}
