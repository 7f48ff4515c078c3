import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { changing, verb, within, type Flags } from '../verb.ts'

const stashing = async () => (await import('./doing.ts')).stashing

export function addStash(program: Command): void {
  const group = verb(program, 'stash', 'list the turns that undo and switch left behind')
    .enablePositionalOptions()
    .action((flags: CommonFlags) => within(flags, stashing, (context, { stash }) => stash(context)))
  verb(group, 'show', 'show one entry, turn by turn')
    .argument('<id>')
    .action((id: string, flags: CommonFlags) =>
      within(flags, stashing, (context, { showStash }) => showStash(context, id)),
    )
  changing(group, 'restore', 'restore its turns, files and conversation')
    .argument('<id>')
    .action((id: string, flags: Flags) =>
      within(flags, stashing, (context, { bringBack }) => bringBack(context, flags, id)),
    )
  verb(program, 'compare', 'compare two turns, branches or sessions')
    .argument('<a>')
    .argument('<b>')
    .action((a: string, b: string, flags: CommonFlags) =>
      within(flags, stashing, (context, { compare }) => compare(context, a, b)),
    )
}
