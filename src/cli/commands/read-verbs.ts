import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import type { LogFlags } from './read.ts'
import { readReveal, revealOption, verb, within, type RevealFlags } from '../verb.ts'

const reading = async () => (await import('./doing.ts')).reading

export function addReads(program: Command): void {
  verb(program, 'log', 'the turns of a session: active, undone, other branches')
    .option('-n, --number <n>', 'only the last N turns')
    .option('--newest-first', 'in this order')
    .option('--since <time>', 'only turns since then: 2h, 3d, today, or a date')
    .option('--grep <text>', 'only turns whose prompt has this text')
    .option('--files <path>', 'only turns that changed this file, or a file in this directory')
    .option('--all', 'every turn; at a terminal the last 100 are shown')
    .action((flags: CommonFlags & LogFlags) =>
      within(flags, reading, (context, { log }) => log(context, flags)),
    )
  verb(program, 'show', 'one turn: prompt, steps, files, diff')
    .argument('<turn>', 'its number, its id or the beginning of it, or BRANCH:NUMBER')
    .option(...revealOption)
    .action((turn: string, flags: RevealFlags) =>
      within(flags, reading, (context, { show }) => show(context, turn, readReveal(flags))),
    )
  verb(program, 'tree', 'the branches as a tree').action((flags: CommonFlags) =>
    within(flags, reading, (context, { tree }) => tree(context)),
  )
  verb(program, 'status', 'where the session stands')
    .option('--line', 'in one line; reads from standard input which session is meant')
    .action((flags: CommonFlags & { line?: boolean }) =>
      within(flags, reading, (context, { status, statusLine }) =>
        flags.line === true && flags.json !== true ? statusLine(context) : status(context),
      ),
    )
}
