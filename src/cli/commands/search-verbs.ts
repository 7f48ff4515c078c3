import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, within } from '../verb.ts'

const searching = async () => (await import('./doing.ts')).searching

export function addSearch(program: Command): void {
  verb(program, 'search', 'turns with these words, in all branches of all sessions')
    .argument('<words...>', 'all of them must be there; each may be the beginning of one')
    .action((words: string[], flags: CommonFlags) =>
      within(flags, searching, (context, { search }) => search(context, words.join(' '))),
    )
}
