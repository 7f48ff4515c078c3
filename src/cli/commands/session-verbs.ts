import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'
import { addVerb } from './table-verbs.ts'

const loadSessions = async () => (await import('./implementations.ts')).sessions

/** The list of sessions, and verbs for whole sessions. */
export function addSessions(program: Command): void {
  const list = verb(
    program,
    'sessions',
    'list the sessions of the project; or rename, delete, archive',
  )
    .option('--all', 'sessions of all projects')
    .option('--agent <name>', 'only sessions of this agent: claude-code or codex')
    // Options after the inner verb belong to the inner verb.
    .enablePositionalOptions()
    .action((flags: CommonFlags & { all?: boolean; agent?: string }) =>
      withContext(flags, loadSessions, (context, { sessions }) =>
        sessions(context, { all: flags.all === true, agent: flags.agent ?? null }),
      ),
    )
  for (const inner of ['session-rename', 'session-delete', 'session-archive'] as const)
    addVerb(list, inner)
}
