import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { readReveal, revealOption, verb, withContext, type RevealFlags } from '../verb.ts'
import { addVerb } from './table-verbs.ts'

const loadHistory = async () => (await import('./implementations.ts')).history

export function addHistory(program: Command): void {
  verb(program, 'diff', 'show how files differ between two turns or branches')
    .argument('<range>', 'A..B: turns or branches; 0 is the start; A.. compares with now')
    .option(...revealOption)
    .action((range: string, flags: RevealFlags) =>
      withContext(flags, loadHistory, (context, { diff }) =>
        diff(context, range, readReveal(flags)),
      ),
    )
  verb(program, 'where', 'list all versions of a file that Retake keeps')
    .argument('<path>')
    .option('--content <id>', 'write this version to standard output')
    .action((path: string, flags: CommonFlags & { content?: string }) =>
      withContext(flags, loadHistory, (context, { where }) => where(context, path, flags)),
    )
  verb(program, 'check', 'check Retake’s data for damage')
    .option('--read-data', 'also verify every byte')
    .action((flags: CommonFlags & { readData?: boolean }) =>
      withContext(flags, loadHistory, (context, { check }) =>
        check(context, { readData: flags.readData === true }),
      ),
    )
  const op = program
    .command('op')
    .description('Retake’s operations: log, show, undo')
    .exitOverride()
  verb(op, 'log', 'list the operations in this project, newest first').action(
    (flags: CommonFlags) =>
      withContext(flags, loadHistory, (context, { operationLog }) => operationLog(context)),
  )
  verb(op, 'show', 'show one operation, file by file')
    .argument('<id>')
    .action((id: string, flags: CommonFlags) =>
      withContext(flags, loadHistory, (context, { showOperation }) => showOperation(context, id)),
    )
  addVerb(op, 'op-undo')
}
