import { nameSession, renameOf } from '#engine'
import type { Command, VerbName } from '#protocol'
import type { Context } from '../context.ts'
import { change, type ChangeFlags } from './change.ts'
import { pathInProject } from './history.ts'
import { readCommand } from './read-command.ts'

/** Runs any verb of the verb table. */
export async function run(
  context: Context,
  flags: ChangeFlags,
  verb: VerbName,
  words: readonly (string | string[] | undefined)[],
): Promise<void> {
  const read = readCommand(verb, words, { ...flags })
  const { session, command } = whose(context, read)
  const there = session === null ? context : { ...context, wanted: { session, project: null } }
  await change(there, flags, (_, project) =>
    command.verb === 'restore'
      ? { ...command, files: command.files.map((path) => pathInProject(context, project, path)) }
      : command,
  )
}

/** The session that the command itself names; null if it names none and the default applies. */
function whose(
  { machine, wanted }: Context,
  command: Command,
): { session: string | null; command: Command } {
  const idOf = (text: string): string => nameSession(machine, { session: text, project: null }).id
  if ('sessions' in command) {
    const sessions = command.sessions.map(idOf)
    return { session: sessions[0]!, command: { ...command, sessions } }
  }
  if ('session' in command) return { session: idOf(command.session), command }
  if (command.verb === 'branch-rename') return renameOf(machine, wanted, command)
  return { session: null, command }
}
