import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { readReveal, revealOption, verb, within, type RevealFlags } from '../verb.ts'
import { addVerb } from './table-verbs.ts'

const telling = async () => (await import('./doing.ts')).telling

export function addHistory(program: Command): void {
  verb(program, 'diff', 'what differs between the files after A and after B')
    .argument('<range>', 'A..B, turns or branches; 0 is the start; A.. compares with now')
    .option(...revealOption)
    .action((range: string, flags: RevealFlags) =>
      within(flags, telling, (context, { diff }) => diff(context, range, readReveal(flags))),
    )
  verb(program, 'where', 'every content of a file that Retake holds')
    .argument('<path>')
    .option('--content <id>', 'write this content to standard output')
    .action((path: string, flags: CommonFlags & { content?: string }) =>
      within(flags, telling, (context, { where }) => where(context, path, flags)),
    )
  verb(program, 'check', 'look for damage in what Retake holds')
    .option('--read-data', 'also read every byte')
    .action((flags: CommonFlags & { readData?: boolean }) =>
      within(flags, telling, (context, { check }) =>
        check(context, { readData: flags.readData === true }),
      ),
    )
  const op = program
    .command('op')
    .description('Retake’s own history: log, show, undo')
    .exitOverride()
  verb(op, 'log', 'what Retake did in this project, newest first').action((flags: CommonFlags) =>
    within(flags, telling, (context, { operationLog }) => operationLog(context)),
  )
  verb(op, 'show', 'one operation, file by file')
    .argument('<id>')
    .action((id: string, flags: CommonFlags) =>
      within(flags, telling, (context, { showOperation }) => showOperation(context, id)),
    )
  addVerb(op, 'op-undo')
}
