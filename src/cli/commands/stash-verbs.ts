import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { changing, verb, withContext, type Flags } from '../verb.ts'

const loadStash = async () => (await import('./implementations.ts')).stash

export function addStash(program: Command): void {
  const group = verb(program, 'stash', 'list the turns that undo and switch left behind')
    .enablePositionalOptions()
    .action((flags: CommonFlags) =>
      withContext(flags, loadStash, (context, { stash }) => stash(context)),
    )
  verb(group, 'show', 'show one entry, turn by turn')
    .argument('<id>')
    .action((id: string, flags: CommonFlags) =>
      withContext(flags, loadStash, (context, { showStash }) => showStash(context, id)),
    )
  changing(group, 'restore', 'restore its turns, files and conversation')
    .argument('<id>')
    .action((id: string, flags: Flags) =>
      withContext(flags, loadStash, (context, { restoreStashEntry }) =>
        restoreStashEntry(context, flags, id),
      ),
    )
  verb(program, 'compare', 'compare two turns, branches or sessions')
    .argument('<a>')
    .argument('<b>')
    .action((a: string, b: string, flags: CommonFlags) =>
      withContext(flags, loadStash, (context, { compare }) => compare(context, a, b)),
    )
}
