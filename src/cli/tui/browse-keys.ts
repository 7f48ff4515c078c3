import type { Command } from '#protocol'
import { emptyLine, lineWith, type EditedLine } from './edited-line.ts'
import { helpText } from './help-text.ts'
import { clamp, movedBy } from './overlay-keys.ts'
import { selectedTreeRow, selectedTurn, treeRows, turnRows } from './rows.ts'
import type { Key } from './key.ts'
import { CURRENT, type Effect, type State, type Step } from './state.ts'

/** Handles a key while one of the two panes has the focus. */
export function browse(state: State, key: Key): Step {
  const by = movedBy(key)
  if (by !== null) return stay(state.focus === 'tree' ? moveTree(state, by) : moveTurn(state, by))
  return BROWSE_KEYS[key.name === 'char' ? key.text : key.name]?.(state) ?? stay(state)
}

/** Key handlers, by the terminal's name of the key. */
export const BROWSE_KEYS: Readonly<Record<string, (state: State) => Step>> = {
  tab: (state) => stay({ ...state, focus: state.focus === 'tree' ? 'turns' : 'input' }),
  'back-tab': (state) => stay({ ...state, focus: state.focus === 'tree' ? 'input' : 'tree' }),
  left: (state) => fold(state, 'fold'),
  h: (state) => fold(state, 'fold'),
  right: (state) => fold(state, 'unfold'),
  l: (state) => fold(state, 'unfold'),
  enter,
  escape: leave,
  u: undoToHere,
  r: redoToHere,
  R: (state) => plan(state, { verb: 'redo', all: true }),
  s: switchHere,
  b: (state) => doing(state, { do: 'list', what: 'branches' }),
  o: (state) => doing(state, { do: 'list', what: 'operations' }),
  c: nameTurn,
  x: compareHere,
  d: (state) => {
    const row = selectedTurn(state)
    if (row === null) return say(state, 'Choose a turn first; d then shows its diff.')
    return doing(state, { do: 'show', turn: row.key, only: 'files' })
  },
  i: (state) => stay({ ...state, focus: 'input' }),
  ':': (state) => stay({ ...state, focus: 'input', input: lineWith('/') }),
  '/': (state) => stay({ ...state, filtering: true, filter: emptyLine }),
  '?': (state) =>
    stay({ ...state, overlay: { kind: 'text', title: 'Keys', text: helpText(), top: 0 } }),
  q: (state) =>
    state.live?.running === true
      ? say(state, 'The turn is still running. Press Esc to stop it, then q to quit.')
      : doing(state, { do: 'quit' }),
}

/** Undoes to before the selected turn, like the agent's own rewind, and offers its prompt again. */
function undoToHere(state: State): Step {
  const row = state.focus === 'turns' ? selectedTurn(state) : null
  if (row === null) return plan(state, { verb: 'undo', count: 1 })
  if (row.turn.state === 'undone') return say(state, 'That turn is undone. Press r to redo it.')
  if (row.turn.state === 'other')
    return say(state, 'That turn is on another branch. Press s to switch to it.')
  return plan(state, { verb: 'rewind', turn: row.key, before: true })
}

function redoToHere(state: State): Step {
  const row = state.focus === 'turns' ? selectedTurn(state) : null
  if (row?.turn.state === 'undone') return plan(state, { verb: 'rewind', turn: row.key })
  return plan(state, { verb: 'redo', count: 1 })
}

function switchHere(state: State): Step {
  const row = selectedTreeRow(state)
  if (state.focus === 'tree' && row?.kind === 'branch')
    return plan(state, { verb: 'switch', branch: row.branch.id })
  const turn = selectedTurn(state)
  if (turn?.turn.state !== 'other' || state.branch === null)
    return say(state, 'Choose a branch on the left, or press b.')
  return plan(state, { verb: 'switch', branch: state.branch, turn: turn.key })
}

/** Fills in the command; the user types only the name. */
function nameTurn(state: State): Step {
  const row = selectedTurn(state)
  const before = '/checkpoint '
  const input: EditedLine = {
    text: row === null ? before : `${before} --turn ${row.turn.number ?? row.key}`,
    cursor: before.length,
  }
  return stay({ ...state, focus: 'input', input })
}

function compareHere(state: State): Step {
  const row = selectedTreeRow(state)
  const here =
    state.focus === 'tree' && row?.kind === 'branch'
      ? row.branch.id
      : (selectedTurn(state)?.key ?? state.log?.head ?? null)
  if (here === null) return say(state, 'There is nothing to compare yet.')
  if (state.marked === null)
    return stay({
      ...state,
      marked: here,
      message: {
        text: 'Marked. Press x on another turn or branch to compare the two.',
        tone: 'plain',
      },
    })
  const ends = [state.marked, here] as const
  if (ends[0] === ends[1]) return say({ ...state, marked: null }, 'Mark removed.')
  return doing({ ...state, marked: null, message: null }, { do: 'compare', ends })
}

function moveTree(state: State, by: number): State {
  const rows = treeRows(state)
  const at = rows.findIndex(({ key }) => key === selectedTreeRow(state)?.key)
  const row = rows[clamp(at + by, rows.length - 1)]
  if (row === undefined) return state
  // The right pane shows the turns of the selected branch.
  const isOther = row.kind === 'branch' && !row.branch.current
  const branch = isOther ? row.branch.id : null
  const moved = { ...state, treeRow: row.key, branch, live: isOther ? null : state.live }
  if (branch === state.branch) return moved
  const [first] = turnRows(moved).toReversed()
  return { ...moved, turnRow: branch === null ? CURRENT : (first?.key ?? CURRENT) }
}

function moveTurn(state: State, by: number): State {
  const rows = turnRows(state)
  const at = rows.findIndex(({ key }) => key === state.turnRow)
  const row = rows[clamp(at + by, rows.length - 1)]
  const live = state.live?.running === true ? state.live : null
  return row === undefined ? state : { ...state, turnRow: row.key, live }
}

function fold(state: State, how: 'fold' | 'unfold'): Step {
  const row = selectedTreeRow(state)
  if (state.focus !== 'tree' || row?.kind !== 'session' || row.folds === null) return stay(state)
  const folded = new Set(state.folded)
  if (how === 'fold') folded.add(row.key)
  else folded.delete(row.key)
  return stay({ ...state, folded })
}

function enter(state: State): Step {
  if (state.focus === 'turns') {
    const row = selectedTurn(state)
    return row === null ? stay(state) : doing(state, { do: 'show', turn: row.key, only: 'all' })
  }
  const row = selectedTreeRow(state)
  if (row === null) return stay(state)
  if (row.kind === 'branch' || row.isOpen) return stay({ ...state, focus: 'turns' })
  const opened = { ...state, focus: 'turns', branch: null, turnRow: CURRENT, live: null } as const
  return doing(opened, { do: 'open', session: row.key })
}

function leave(state: State): Step {
  if (state.live?.running === true) return doing(state, { do: 'stop' })
  return stay({ ...state, live: null, filter: emptyLine, marked: null, message: null })
}

function plan(state: State, command: Command): Step {
  if (state.live?.running === true)
    return say(state, 'The turn is still running. Press Esc to stop it.')
  return doing(state, { do: 'plan', command, choices: new Map() })
}

function say(state: State, text: string): Step {
  return stay({ ...state, message: { text, tone: 'plain' } })
}

function doing(state: State, effect: Effect): Step {
  return { state, effects: [effect] }
}

function stay(state: State): Step {
  return { state, effects: [] }
}
