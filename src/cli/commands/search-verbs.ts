import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'

const loadSearch = async () => (await import('./implementations.ts')).search

export function addSearch(program: Command): void {
  verb(program, 'search', 'search the turns of all sessions and branches')
    .argument('<words...>', 'words or the start of words; all must match')
    .action((words: string[], flags: CommonFlags) =>
      withContext(flags, loadSearch, (context, { search }) => search(context, words.join(' '))),
    )
}
