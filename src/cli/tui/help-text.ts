import { slashVerbs } from './slash.ts'

/** Every key of the screen. `?` shows this table, and docs/keys.md is compared with it. */
export const SCREEN_KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['↑', '↓', 'j', 'k'], does: 'up and down' },
  { keys: ['PageUp', 'PageDown'], does: 'ten rows up and down' },
  { keys: ['g', 'G', 'Home', 'End'], does: 'go to the first or the last row' },
  { keys: ['Tab', 'Shift Tab'], does: 'next pane, then the input line' },
  { keys: ['←', '→', 'h', 'l'], does: 'fold and unfold sessions' },
  { keys: ['Enter'], does: 'open a session, show a turn' },
  { keys: ['u'], does: 'undo to before this turn; on “(current)”, undo the last turn' },
  { keys: ['r', 'R'], does: 'redo the next turn, or up to this one; R redoes all' },
  { keys: ['s'], does: 'switch to this branch or turn' },
  { keys: ['b'], does: 'list the branches' },
  { keys: ['c'], does: 'name this turn (a checkpoint)' },
  { keys: ['x'], does: 'mark a turn; x on a second one compares the two' },
  { keys: ['d'], does: 'show the diff of this turn' },
  { keys: ['o'], does: 'list the operations; u there undoes one' },
  { keys: ['/'], does: 'search as you type; Esc shows all turns' },
  { keys: ['i', ':'], does: 'type a prompt; type a command' },
  { keys: ['Esc'], does: 'stop the agent or the operation; close the window' },
  { keys: ['?', 'q'], does: 'show these keys; quit' },
]

/** The keys while a plan is shown. Any other key cancels it. */
export const PLAN_KEYS: typeof SCREEN_KEYS = [
  { keys: ['↑', '↓'], does: 'choose a file' },
  { keys: ['d'], does: 'show its diff' },
  {
    keys: ['1', '2', '3'],
    does: 'for a conflict: keep mine, restore the old version, keep both with markers',
  },
  { keys: ['i'], does: 'include or leave the unsure changes' },
  { keys: ['y'], does: 'apply the plan; any other key cancels it' },
]

const WIDTH = 18

export function helpText(): string {
  return [
    ...SCREEN_KEYS.map(row),
    '',
    'In a plan:',
    ...PLAN_KEYS.map(row),
    '',
    ...Object.values(slashVerbs).map(({ usage, does }) => `${usage.padEnd(WIDTH + 15)}${does}`),
  ].join('\n')
}

function row({ keys, does }: (typeof SCREEN_KEYS)[number]): string {
  return `${keys.join(' ').padEnd(WIDTH)}${does}`
}
