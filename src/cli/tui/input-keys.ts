import type { Approval } from '#timeline'
import { editLine, emptyLine, lineWith } from './edited-line.ts'
import { helpText } from './help-text.ts'
import { turnRows } from './rows.ts'
import { completeSlash, readSlash } from './slash.ts'
import type { Key } from './key.ts'
import { CURRENT, emptyLive, type Live, type State, type Step } from './state.ts'

const RUNS = 'The turn is still running. Press Esc to stop it.'

/** Handles a key in the input line. */
export function typeLine(state: State, key: Key): Step {
  const { input } = state
  if (key.name === 'enter') return input.text.trim() === '' ? { state, effects: [] } : send(state)
  if (key.name === 'escape' && state.live?.running === true)
    return { state, effects: [{ do: 'stop' }] }
  if (key.name === 'escape' || key.name === 'back-tab')
    return { state: { ...state, focus: 'turns' }, effects: [] }
  if (key.name === 'tab' && !input.text.startsWith('/'))
    return { state: { ...state, focus: 'tree' }, effects: [] }
  if (key.name === 'tab') {
    const { line, fits } = completeSlash(input.text, state.log)
    const message = fits.length > 1 ? ({ text: fits.join('  '), tone: 'plain' } as const) : null
    return { state: { ...state, message, input: lineWith(line) }, effects: [] }
  }
  return { state: { ...state, input: editLine(input, key) ?? input }, effects: [] }
}

function send(state: State): Step {
  const { text } = state.input
  if (state.live?.running === true)
    return { state: { ...state, message: { text: RUNS, tone: 'bad' } }, effects: [] }
  const sent: State = { ...state, input: emptyLine, message: null }
  if (!text.startsWith('/')) {
    const live = { ...emptyLive, prompt: text }
    return { state: { ...sent, live }, effects: [{ do: 'converse', prompt: text }] }
  }
  const slash = readSlash(text)
  switch (slash.kind) {
    case 'command':
      return { state: sent, effects: [{ do: 'plan', command: slash.command, choices: new Map() }] }
    case 'effect':
      return { state: sent, effects: [slash.effect] }
    case 'help':
      return {
        state: { ...sent, overlay: { kind: 'text', title: 'Keys', text: helpText(), top: 0 } },
        effects: [],
      }
    case 'log':
      return { state: { ...sent, live: null, branch: null, focus: 'turns' }, effects: [] }
    case 'usage':
      // Keep the typed text, so that the user can fix it.
      return { state: { ...state, message: { text: slash.text, tone: 'bad' } }, effects: [] }
  }
}

/** Handles a key while the agent waits for approval: yes, always, no, or no with a reason. */
export function answerApproval(state: State, live: Live, approval: Approval, key: Key): Step {
  const answer = (given: Extract<Step['effects'][number], { do: 'answer' }>['answer']): Step => ({
    state: { ...state, input: emptyLine },
    effects: [{ do: 'answer', approval: approval.id, answer: given }],
  })
  if (key.name === 'escape') return { state, effects: [{ do: 'stop' }] }
  if (live.refusing) {
    const reason = state.input.text.trim()
    if (key.name === 'enter') return answer({ allow: false, ...(reason === '' ? {} : { reason }) })
    return { state: { ...state, input: editLine(state.input, key) ?? state.input }, effects: [] }
  }
  if (key.name !== 'char') return { state, effects: [] }
  if (key.text === 'y') return answer({ allow: true })
  if (key.text === 'a' && approval.canAlways) return answer({ allow: true, always: true })
  if (key.text === 'n') return answer({ allow: false })
  if (key.text === 'w')
    return { state: { ...state, live: { ...live, refusing: true } }, effects: [] }
  return { state, effects: [] }
}

/** Handles a key in the search line; the list updates with every letter. */
export function typeFilter(state: State, key: Key): State {
  if (key.name === 'enter') return { ...state, filtering: false }
  if (key.name === 'escape') return { ...state, filtering: false, filter: emptyLine }
  const filter = editLine(state.filter, key)
  if (filter === null) return state
  const found = { ...state, filter }
  const rows = turnRows(found)
  const isThere = rows.some(({ key: row }) => row === state.turnRow)
  if (isThere && state.turnRow !== CURRENT) return found
  const first = rows.find(({ kind }) => kind === 'turn')
  return { ...found, turnRow: filter.text === '' ? CURRENT : (first?.key ?? CURRENT) }
}
