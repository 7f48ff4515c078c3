import type { Command } from 'commander'
import type { CommonFlags } from '../context.ts'
import { verb, withContext } from '../verb.ts'

// React and Ink are slow to load, and no other verb needs them.
const drawing = () => import('../tui/tui.ts')

export function addTui(program: Command): void {
  verb(program, 'tui', 'full-screen terminal interface').action((flags: CommonFlags) =>
    withContext(flags, drawing, (context, { runTui }) => runTui(context)),
  )
}
