import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import type { LogFlags } from './read.ts'
import { readReveal, revealOption, verb, withContext, type RevealFlags } from '../verb.ts'

const loadRead = async () => (await import('./implementations.ts')).read

export function addReads(program: Command): void {
  verb(program, 'log', 'show the turns of a session: active, undone, on other branches')
    .option('-n, --number <n>', 'only the last N turns')
    .option('--newest-first', 'newest turn first')
    .option('--since <time>', 'only turns since then: 2h, 3d, today, or a date')
    .option('--grep <text>', 'only turns whose prompt contains this text')
    .option('--files <path>', 'only turns that changed this file, or a file in this directory')
    .option('--all', 'every turn; at a terminal the last 100 are shown')
    .action((flags: CommonFlags & LogFlags) =>
      withContext(flags, loadRead, (context, { log }) => log(context, flags)),
    )
  verb(program, 'show', 'show one turn: prompt, steps, files, diff')
    .argument('<turn>', 'number, id or the start of the id, or BRANCH:NUMBER')
    .option(...revealOption)
    .action((turn: string, flags: RevealFlags) =>
      withContext(flags, loadRead, (context, { show }) => show(context, turn, readReveal(flags))),
    )
  verb(program, 'tree', 'show the branches as a tree').action((flags: CommonFlags) =>
    withContext(flags, loadRead, (context, { tree }) => tree(context)),
  )
  verb(program, 'status', 'show the state of the session')
    .option('--line', 'one line for a status bar; reads the session from standard input')
    .action((flags: CommonFlags & { line?: boolean }) =>
      withContext(flags, loadRead, (context, { status, statusLine }) =>
        flags.line === true && flags.json !== true ? statusLine(context) : status(context),
      ),
    )
}
