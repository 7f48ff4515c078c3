import { slashVerbs } from './slash.ts'

/** Every key of the screen. `?` shows this table, and docs/keys.md is compared with it. */
export const SCREEN_KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['↑', '↓', 'j', 'k'], does: 'up and down' },
  { keys: ['PageUp', 'PageDown'], does: 'ten rows up and down' },
  { keys: ['g', 'G', 'Home', 'End'], does: 'to the first and the last row' },
  { keys: ['Tab', 'Shift Tab'], does: 'the other pane, then the input line' },
  { keys: ['←', '→', 'h', 'l'], does: 'fold and unfold sessions' },
  { keys: ['Enter'], does: 'open a session, show a turn' },
  { keys: ['u'], does: 'plan an undo to before this turn; on “(current)” of the last one' },
  { keys: ['r', 'R'], does: 'plan a redo of the next turn or to this one; of all' },
  { keys: ['s'], does: 'switch to the branch, or to this turn of it' },
  { keys: ['b'], does: 'list the branches' },
  { keys: ['c'], does: 'name this turn (a checkpoint)' },
  { keys: ['x'], does: 'mark a turn; a second x compares the two' },
  { keys: ['d'], does: 'show the files of this turn, line by line' },
  { keys: ['o'], does: 'list the operations; u there undoes one' },
  { keys: ['/'], does: 'search as you type; Esc shows all turns' },
  { keys: ['i', ':'], does: 'type a prompt; begin a command' },
  { keys: ['Esc'], does: 'stop the agent or the operation; close what is open' },
  { keys: ['?', 'q'], does: 'show these keys; quit' },
]

/** The keys while a plan is shown. Any other key cancels it. */
export const PLAN_KEYS: typeof SCREEN_KEYS = [
  { keys: ['↑', '↓'], does: 'choose a file' },
  { keys: ['d'], does: 'show its lines' },
  { keys: ['1', '2', '3'], does: 'for a conflict: keep mine, put back, mark both' },
  { keys: ['i'], does: 'include the changes that may not be the turn’s, or leave them' },
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
