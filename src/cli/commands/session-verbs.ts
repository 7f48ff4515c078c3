import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'
import { addVerb } from './table-verbs.ts'

const loadRead = async () => (await import('./implementations.ts')).read

/** The list of sessions, and what can be done to whole ones. */
export function addSessions(program: Command): void {
  const list = verb(
    program,
    'sessions',
    'list the sessions of the project; or rename, delete, archive',
  )
    .option('--all', 'sessions of all projects')
    // What stands behind the inner verb is the inner verb's.
    .enablePositionalOptions()
    .action((flags: CommonFlags & { all?: boolean }) =>
      withContext(flags, loadRead, (context, { sessions }) =>
        sessions(context, { all: flags.all === true }),
      ),
    )
  for (const inner of ['session-rename', 'session-delete', 'session-archive'] as const)
    addVerb(list, inner)
}
