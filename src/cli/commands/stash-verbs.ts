import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { changing, verb, within, type Flags } from '../verb.ts'
import { bringBack, compare, showStash, stash } from './stash.ts'

export function addStash(program: Command): void {
  const group = verb(program, 'stash', 'the turns that were gone back past')
    .enablePositionalOptions()
    .action((flags: CommonFlags) => within(flags, stash))
  verb(group, 'show', 'one entry, turn by turn')
    .argument('<id>')
    .action((id: string, flags: CommonFlags) => within(flags, (context) => showStash(context, id)))
  changing(group, 'restore', 'bring its turns back, files and conversation')
    .argument('<id>')
    .action((id: string, flags: Flags) => within(flags, (context) => bringBack(context, flags, id)))
  verb(program, 'compare', 'two turns, branches or sessions side by side')
    .argument('<a>')
    .argument('<b>')
    .action((a: string, b: string, flags: CommonFlags) =>
      within(flags, (context) => compare(context, a, b)),
    )
}
