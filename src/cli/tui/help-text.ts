import { slashVerbs } from './slash.ts'

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'up and down; g and G to the ends'],
  ['Tab', 'the other pane, then the line at the bottom'],
  ['← → h l', 'fold and unfold sessions'],
  ['Enter', 'open a session, show a turn; on “(current)” nothing'],
  ['u', 'plan an undo to before this turn; on “(current)” of the last one'],
  ['r  R', 'redo the next turn (or to this undone one); all of them'],
  ['s', 'switch to the branch, or to this turn of it'],
  ['b', 'the branches'],
  ['c', 'a checkpoint: a name for this turn'],
  ['x', 'mark a turn; a second x compares the two'],
  ['d', 'the files of this turn, line by line'],
  ['o', 'what Retake did; u there undoes an operation'],
  ['/', 'search: the list follows what you type; Esc shows all'],
  ['i', 'say something to the agent; : begins a command'],
  ['Esc', 'stop the agent, or what is being carried out; close what is open'],
  ['?  q', 'these keys; leave'],
]

export function helpText(): string {
  const width = 14
  return [
    ...KEYS.map(([key, does]) => `${key.padEnd(width)}${does}`),
    '',
    'In a plan: ↑ ↓ choose a file, d its lines, 1 keep mine, 2 put back,',
    '3 mark both; y carries it out, any other key leaves everything as it is.',
    '',
    ...Object.values(slashVerbs).map(({ usage, does }) => `${usage.padEnd(width + 19)}${does}`),
  ].join('\n')
}
