import type { Command } from 'commander'
import { keepSessions } from '#engine'
import { Failure } from '#failure'
import type { ChangeFlags } from './commands/change.ts'
import { openContext, type CommonFlags, type Context } from './context.ts'
import { visible } from './visible.ts'

export type Flags = CommonFlags & ChangeFlags

/** A verb that plans before it changes anything. */
export function changing(program: Command, name: string, description: string): Command {
  return verb(program, name, description)
    .option('--dry-run', 'print the plan, write nothing')
    .option('-y, --yes', 'do not ask')
    .option('--only <part>', 'files or chat')
    .option('--on-conflict <choice>', 'stop, keep-mine, put-back or mark', 'stop')
    .option(
      '--choose <path=choice>',
      'the same for one file; can be given again',
      (given: string, before: readonly string[]) => [...before, given],
      [],
    )
    .option('--include-unsure', 'also move what may not be the turn’s')
    .option('--expect-head <turn>', 'refuse when the session stands elsewhere')
}

/** A verb that changes what branches and turns are called, and neither files nor conversation. */
export function naming(program: Command, name: string, description: string): Command {
  return verb(program, name, description)
    .option('--dry-run', 'print the plan, write nothing')
    .option('-y, --yes', 'do not ask')
}

/** What every verb understands. */
export function verb(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--session <id>', "a session's id; default: the project's newest")
    .option('--project <dir>', 'the project; default: this directory or the nearest above')
    .option('--json', 'print one JSON object')
    .exitOverride()
}

export async function within(
  flags: CommonFlags,
  act: (context: Context) => unknown,
): Promise<void> {
  using context = openContext(flags)
  await act(context)
  keepRead(context)
}

/** After the answer is out: nobody waits for the copy of what was read. */
function keepRead(context: Context): void {
  const { machine, paint } = context
  try {
    keepSessions(machine, machine.read)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.say(paint.warning(visible(`The transcript could not be kept: ${error.message}`)))
  }
}
