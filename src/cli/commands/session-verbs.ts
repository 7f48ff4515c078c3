import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { naming, verb, within, type Flags } from '../verb.ts'

const reading = async () => (await import('./doing.ts')).reading
const caring = async () => (await import('./doing.ts')).keeping

/** The list of sessions, and care of whole ones. */
export function addSessions(program: Command): void {
  const list = verb(program, 'sessions', 'all sessions of the project, or of all; or care of them')
    .option('--all', 'sessions of all projects')
    // What stands behind the inner verb is the inner verb's.
    .enablePositionalOptions()
    .action((flags: CommonFlags & { all?: boolean }) =>
      within(flags, reading, (context, { sessions }) =>
        sessions(context, { all: flags.all === true }),
      ),
    )
  naming(list, 'rename', 'give a session a title in Retake')
    .argument('<session>', 'its id or the beginning of it')
    .argument('<title>')
    .action((session: string, name: string, flags: Flags) =>
      within(flags, caring, (context, { careForSessions }) =>
        careForSessions(context, flags, [session], () => ({ verb: 'session-rename', name })),
      ),
    )
  naming(list, 'delete', 'do not show sessions any more; the agent’s own files stay')
    .argument('<session...>', 'ids or the beginnings of them, of one project')
    .action((sessions: string[], flags: Flags) =>
      within(flags, caring, (context, { careForSessions }) =>
        careForSessions(context, flags, sessions, (also) => ({ verb: 'session-delete', also })),
      ),
    )
  naming(list, 'archive', 'put sessions at the end of the list')
    .argument('<session...>', 'ids or the beginnings of them, of one project')
    .option('--off', 'take them out of the archive')
    .action((sessions: string[], flags: Flags & { off?: boolean }) =>
      within(flags, caring, (context, { careForSessions }) =>
        careForSessions(context, flags, sessions, (also) => ({
          verb: flags.off === true ? 'session-unarchive' : 'session-archive',
          also,
        })),
      ),
    )
}
