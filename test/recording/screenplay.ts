import type { Window } from './draw-recording.ts'

export interface Step {
  readonly type: string
  /** The last line of the screen when the step is over; default: the shell's prompt. */
  readonly until?: RegExp
  /** Long enough to read the new lines. */
  readonly pause: number
}

export const WINDOW: Window = {
  title: '~/shop',
  description:
    'A terminal. `retake undo 2` undoes two turns of the agent: its edits leave the files, and a line that the user added stays. `retake redo 2` brings both turns back.',
  rows: 24,
  columns: 84,
}

export const SCREENPLAY: readonly Step[] = [
  { type: 'retake log -n 2', pause: 3000 },
  { type: '# I add a line to a file that the agent changed.', pause: 300 },
  { type: "echo '// Ada: ask Bob about this' >> src/auth.ts", pause: 800 },
  { type: 'retake undo 2', until: /\[y\/N\]/, pause: 3500 },
  { type: 'y', pause: 3000 },
  { type: 'tail -n 1 src/auth.ts     # my line is still there', pause: 2500 },
  { type: 'retake redo 2 --yes', pause: 5000 },
]
