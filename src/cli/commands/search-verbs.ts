import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, within } from '../verb.ts'

const searching = async () => (await import('./doing.ts')).searching

export function addSearch(program: Command): void {
  verb(program, 'search', 'search the turns of all sessions and branches')
    .argument('<words...>', 'words or the start of words; all must match')
    .action((words: string[], flags: CommonFlags) =>
      within(flags, searching, (context, { search }) => search(context, words.join(' '))),
    )
}
