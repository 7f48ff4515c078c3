import { browse } from './browse-keys.ts'
import { insert, lineWith } from './edited-line.ts'
import { answerApproval, typeLine, typeFilter } from './input-keys.ts'
import { answerOver } from './over-keys.ts'
import { turnRows } from './rows.ts'
import type { Key } from './key.ts'
import {
  beginning,
  CURRENT,
  emptyLive,
  type Applying,
  type Happening,
  type State,
  type Step,
} from './state.ts'

/** Returns the next state and the effects to carry out. Pure. */
export function reduce(state: State, happening: Happening): Step {
  if (happening.type === 'key') return press(state, happening.key)
  if (happening.type === 'pasted') return paste(state, happening.text)
  if (happening.type !== 'planned') return only(hear(state, happening))
  const { plan, command } = happening
  // Changes to branch marks and checkpoints touch no files and are easy to undo, so do not ask.
  if (plan.verb.startsWith('branch-') || plan.verb.startsWith('checkpoint'))
    return { state: { ...state, busy: null, applying: beginning }, effects: [{ do: 'apply' }] }
  return only({ ...state, busy: null, over: planOver(state, command, plan) })
}

function hear(
  state: State,
  happening: Exclude<Happening, { type: 'key' | 'pasted' | 'planned' }>,
): State {
  switch (happening.type) {
    case 'loaded':
      return settle({ ...state, sessions: happening.sessions, log: happening.log })
    case 'busy':
      return { ...state, busy: happening.what, said: null }
    case 'at-work': {
      const { command, agent } = happening
      return { ...state, busy: null, over: { kind: 'stop', command, agent } }
    }
    case 'diffed':
      if (state.over?.kind !== 'plan') return state
      return {
        ...state,
        over: {
          ...state.over,
          diffs: new Map([...state.over.diffs, [happening.place, happening.diff]]),
        },
      }
    case 'done': {
      const { text, prompt } = happening
      const after = { ...afterPlan(state), live: null, branch: null, turnRow: CURRENT }
      const said = { text, tone: 'plain' } as const
      // Redo removes the prompt that undo put into the input line, unless the user changed it.
      if (prompt === null && state.offered !== null && state.input.text === state.offered)
        return { ...after, said, input: lineWith(''), offered: null }
      if (prompt === null) return { ...after, said, offered: null }
      return { ...after, said, input: lineWith(prompt), focus: 'input', offered: prompt }
    }
    case 'progressed': {
      const { applying } = state
      if (applying === null) return state
      return { ...state, applying: { ...applying, progress: happening.progress } }
    }
    case 'not-done':
      return afterPlan(state)
    case 'said':
      return { ...state, busy: null, said: { text: happening.text, tone: happening.tone } }
    case 'shown': {
      const { title, text } = happening
      return { ...state, busy: null, said: null, over: { kind: 'text', title, text, top: 0 } }
    }
    case 'listed': {
      const { what, rows } = happening
      return { ...state, busy: null, said: null, over: { kind: 'list', what, rows, selected: 0 } }
    }
    case 'joined': {
      const { prompt } = happening
      return { ...state, live: { ...emptyLive, prompt } }
    }
    case 'streamed':
    case 'asked':
    case 'answered':
    case 'turn-ended':
      return follow(state, happening)
  }
}

function afterPlan(state: State): State {
  return { ...state, busy: null, over: null, applying: null }
}

/** Updates the running turn. */
function follow(
  state: State,
  happening: Extract<Happening, { type: 'streamed' | 'asked' | 'answered' | 'turn-ended' }>,
): State {
  const { live } = state
  if (live === null) return state
  switch (happening.type) {
    case 'streamed':
      return { ...state, live: { ...live, text: live.text + happening.text } }
    case 'asked':
      return { ...state, live: { ...live, approval: happening.approval } }
    case 'answered':
      return { ...state, live: { ...live, approval: null, refusing: false } }
    case 'turn-ended':
      return { ...state, live: { ...live, approval: null, refusing: false, running: false } }
  }
}

function planOver(
  { over }: State,
  command: Extract<Happening, { type: 'planned' }>['command'],
  plan: Extract<Happening, { type: 'planned' }>['plan'],
): State['over'] {
  const again = over?.kind === 'plan' ? over : null
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
  if (state.over !== null) return answerOver(state, state.over, key)
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
  if (state.over !== null && state.over.kind === 'plan') return only(state)
  return only({ ...state, over: null, focus: 'input', input: insert(state.input, text) })
}

function only(state: State): Step {
  return { state, effects: [] }
}
