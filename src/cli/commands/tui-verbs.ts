import type { Command } from 'commander'
import { Failure } from '#failure'
import type { CommonFlags } from '../context.ts'
import { verb, within } from '../verb.ts'

export function addTui(program: Command): void {
  verb(
    program,
    'tui',
    'sessions, branches and turns on the whole screen, with the keyboard',
  ).action((flags: CommonFlags) =>
    within(flags, async (context) => {
      if (!context.interactive || !process.stdout.isTTY)
        throw new Failure('usage', '`tui` needs a terminal.', {
          hint: 'Without one, `retake log --json` and the other verbs say the same.',
        })
      // React and what lays out the screen are slow to load, and no other verb needs them.
      const { runTui } = await import('../tui/tui.ts')
      await runTui(context)
    }),
  )
}
