import type { Command } from 'commander'
import { moving } from '#protocol'
import type { ChangeFlags } from './commands/change.ts'
import type { CommonFlags, Context } from './context.ts'

export type Flags = CommonFlags & ChangeFlags

/** A verb that plans before it changes anything. */
export function changing(program: Command, name: string, description: string): Command {
  return verb(program, name, description)
    .option('--dry-run', 'show the plan; write nothing')
    .option('-p, --patch', 'show the diff of each file with the plan')
    .option('-y, --yes', 'do not ask')
    .option('--only <part>', moving.only.says)
    .option(
      '--on-conflict <choice>',
      `${moving.onConflict.says}: stop, keep-mine, put-back or mark`,
      'stop',
    )
    .option(
      '--choose <path=choice>',
      'what to do with one file in conflict; repeatable',
      (given: string, before: readonly string[] | undefined) => [...(before ?? []), given],
    )
    .option('--include-unsure', moving.includeUnsure.says)
    .option(
      '--agree <dir>',
      'from now on, also undo the agent’s edits in this directory outside the project',
      (given: string, before: readonly string[] | undefined) => [...(before ?? []), given],
    )
    .option('--expect-head <turn>', moving.expectHead.says)
    .option('--stop', 'end the running turn first, under `retake claude`')
}

/** A verb that changes only names, neither files nor the conversation. */
export function naming(program: Command, name: string, description: string): Command {
  return verb(program, name, description)
    .option('--dry-run', 'show the plan; write nothing')
    .option('-y, --yes', 'do not ask')
}

/** Adds a verb with the common options. */
export function verb(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--session <id>', 'session id; default: the one open here, else the newest')
    .option('--project <dir>', 'the project; default: this directory or the nearest above')
    .option('--json', 'print one JSON object')
    .exitOverride()
}

export type RevealFlags = CommonFlags & { reveal?: boolean }

/** For verbs that print lines of files. */
export const revealOption = [
  '--reveal',
  'also show files that may contain secrets, such as .env',
] as const

export function readReveal({ reveal = false }: RevealFlags): { reveal: boolean } {
  return { reveal }
}

/**
 * Opens the context of a command and loads its implementation. Neither is needed to parse the
 * command line, so each start loads only what its command uses.
 */
export async function withContext<Implementation>(
  flags: CommonFlags,
  load: () => Promise<Implementation>,
  act: (context: Context, implementation: Implementation) => unknown,
): Promise<void> {
  const [{ keepRead, openContext }, implementation] = await Promise.all([
    import('./commands/implementations.ts'),
    load(),
  ])
  using context = openContext(flags)
  await act(context, implementation)
  keepRead(context)
}

/** Like `withContext`, for commands that must write nothing, not even a cache. */
export async function withReadOnlyContext<Implementation>(
  load: () => Promise<Implementation>,
  act: (context: Context, implementation: Implementation) => unknown,
): Promise<void> {
  const [{ openContext }, implementation] = await Promise.all([
    import('./commands/implementations.ts'),
    load(),
  ])
  using context = openContext({})
  await act(context, implementation)
}
