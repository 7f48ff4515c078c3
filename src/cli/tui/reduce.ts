import { browse } from './browse-keys.ts'
import { insert, lineWith } from './edited-line.ts'
import { answerApproval, typeLine, typeFilter } from './input-keys.ts'
import { answerOverlay } from './overlay-keys.ts'
import { turnRows } from './rows.ts'
import type { Key } from './key.ts'
import {
  beginning,
  CURRENT,
  emptyLive,
  type Applying,
  type TuiEvent,
  type State,
  type Step,
} from './state.ts'

/** Returns the next state and the effects to carry out. Pure. */
export function reduce(state: State, event: TuiEvent): Step {
  if (event.type === 'key') return press(state, event.key)
  if (event.type === 'pasted') return paste(state, event.text)
  if (event.type !== 'planned') return only(hear(state, event))
  const { plan, command } = event
  // Changes to branch marks and checkpoints touch no files and are easy to undo, so do not ask.
  if (plan.verb.startsWith('branch-') || plan.verb.startsWith('checkpoint'))
    return { state: { ...state, busy: null, applying: beginning }, effects: [{ do: 'apply' }] }
  return only({ ...state, busy: null, overlay: planOverlay(state, command, plan) })
}

function hear(
  state: State,
  event: Exclude<TuiEvent, { type: 'key' | 'pasted' | 'planned' }>,
): State {
  switch (event.type) {
    case 'loaded':
      return settle({ ...state, sessions: event.sessions, log: event.log })
    case 'busy':
      return { ...state, busy: event.what, message: null }
    case 'at-work': {
      const { command, agent } = event
      return { ...state, busy: null, overlay: { kind: 'stop', command, agent } }
    }
    case 'diffed':
      if (state.overlay?.kind !== 'plan') return state
      return {
        ...state,
        overlay: {
          ...state.overlay,
          diffs: new Map([...state.overlay.diffs, [event.place, event.diff]]),
        },
      }
    case 'done': {
      const { text, prompt } = event
      const after = { ...afterPlan(state), live: null, branch: null, turnRow: CURRENT }
      const message = { text, tone: 'plain' } as const
      // Redo removes the prompt that undo put into the input line, unless the user changed it.
      if (prompt === null && state.offered !== null && state.input.text === state.offered)
        return { ...after, message, input: lineWith(''), offered: null }
      if (prompt === null) return { ...after, message, offered: null }
      return { ...after, message, input: lineWith(prompt), focus: 'input', offered: prompt }
    }
    case 'progressed': {
      const { applying } = state
      if (applying === null) return state
      return { ...state, applying: { ...applying, progress: event.progress } }
    }
    case 'not-done':
      return afterPlan(state)
    case 'message':
      return { ...state, busy: null, message: { text: event.text, tone: event.tone } }
    case 'shown': {
      const { title, text } = event
      return { ...state, busy: null, message: null, overlay: { kind: 'text', title, text, top: 0 } }
    }
    case 'listed': {
      const { what, rows } = event
      return {
        ...state,
        busy: null,
        message: null,
        overlay: { kind: 'list', what, rows, selected: 0 },
      }
    }
    case 'joined': {
      const { prompt } = event
      return { ...state, live: { ...emptyLive, prompt } }
    }
    case 'streamed':
    case 'asked':
    case 'answered':
    case 'turn-ended':
      return follow(state, event)
  }
}

function afterPlan(state: State): State {
  return { ...state, busy: null, overlay: null, applying: null }
}

/** Updates the running turn. */
function follow(
  state: State,
  event: Extract<TuiEvent, { type: 'streamed' | 'asked' | 'answered' | 'turn-ended' }>,
): State {
  const { live } = state
  if (live === null) return state
  switch (event.type) {
    case 'streamed':
      return { ...state, live: { ...live, text: live.text + event.text } }
    case 'asked':
      return { ...state, live: { ...live, approval: event.approval } }
    case 'answered':
      return { ...state, live: { ...live, approval: null, refusing: false } }
    case 'turn-ended':
      return { ...state, live: { ...live, approval: null, refusing: false, running: false } }
  }
}

function planOverlay(
  { overlay }: State,
  command: Extract<TuiEvent, { type: 'planned' }>['command'],
  plan: Extract<TuiEvent, { type: 'planned' }>['plan'],
): State['overlay'] {
  const again = overlay?.kind === 'plan' ? overlay : null
  const conflict = plan.files.findIndex(({ verb }) => verb === 'conflict')
  const selected = conflict === -1 ? (again?.selected ?? 0) : conflict
  return {
    kind: 'plan',
    command,
    plan,
    selected,
    diffs: new Map(),
    choices: again?.choices ?? new Map(),
  }
}

/** Resets the selection if the selected turn or branch no longer exists. */
function settle(state: State): State {
  const hasBranch = state.log?.branches.some(({ id }) => id === state.branch) === true
  const settled = { ...state, busy: null, branch: hasBranch ? state.branch : null }
  const isThere = turnRows(settled).some(({ key }) => key === state.turnRow)
  return isThere ? settled : { ...settled, turnRow: CURRENT }
}

function press(state: State, key: Key): Step {
  if (state.applying !== null) return whileApplying(state, state.applying, key)
  if (key.name === 'ctrl-c') {
    // The first Ctrl-C only stops the running turn, as in the agent.
    if (state.live?.running === true) return { state, effects: [{ do: 'stop' }] }
    return { state, effects: [{ do: 'quit' }] }
  }
  // With text in the input line, keys type: a letter must not answer the approval.
  if (state.live?.approval && (state.input.text === '' || state.live.refusing))
    return answerApproval(state, state.live, state.live.approval, key)
  if (state.overlay !== null) return answerOverlay(state, state.overlay, key)
  if (state.filtering) return only(typeFilter(state, key))
  return state.focus === 'input' ? typeLine(state, key) : browse(state, key)
}

/**
 * Only stopping is possible. A second Ctrl-C quits, and the next start rolls the operation back.
 */
function whileApplying(state: State, applying: Applying, key: Key): Step {
  if (key.name !== 'escape' && key.name !== 'ctrl-c') return only(state)
  if (!applying.stopping)
    return {
      state: { ...state, applying: { ...applying, stopping: true } },
      effects: [{ do: 'stop-applying' }],
    }
  return key.name === 'ctrl-c' ? { state, effects: [{ do: 'quit' }] } : only(state)
}

/** Pasted text is never keys: a line break in it must not send. */
function paste(state: State, text: string): Step {
  if (state.applying !== null) return only(state)
  if (state.filtering) return only({ ...state, filter: insert(state.filter, text) })
  if (state.overlay !== null && state.overlay.kind === 'plan') return only(state)
  return only({ ...state, overlay: null, focus: 'input', input: insert(state.input, text) })
}

function only(state: State): Step {
  return { state, effects: [] }
}
