import { includable, type Choice } from '#timeline'
import { makePaint } from '../text/paint.ts'
import { planParts } from '../text/plan-text.ts'
import type { Key } from './key.ts'
import {
  beginning,
  type Effect,
  type Overlay,
  type PlanOverlay,
  type State,
  type Step,
} from './state.ts'

const PAGE = 10
const KEPT = { text: 'Nothing was changed.', tone: 'plain' } as const

/** Handles a key while an overlay is open. */
export function answerOverlay(state: State, overlay: Overlay, key: Key): Step {
  switch (overlay.kind) {
    case 'plan':
      return answerPlan(state, overlay, key)
    case 'stop': {
      if (key.name !== 'char' || key.text !== 'y')
        return stay({ ...state, overlay: null, message: KEPT })
      const stopping = { ...state, overlay: null, message: null, applying: beginning }
      return { state: stopping, effects: [{ do: 'stop-and-apply', command: overlay.command }] }
    }
    case 'text': {
      const by = movedBy(key)
      if (by === null) return stay({ ...state, overlay: null })
      const most = Math.max(0, overlay.text.split('\n').length - 5)
      return stay({ ...state, overlay: { ...overlay, top: clamp(overlay.top + by, most) } })
    }
    case 'list': {
      const by = movedBy(key)
      if (by !== null)
        return stay({
          ...state,
          overlay: { ...overlay, selected: clamp(overlay.selected + by, overlay.rows.length - 1) },
        })
      const row = overlay.rows[overlay.selected]
      const effect = row === undefined ? null : chosen(state, overlay, row.id, key)
      if (effect !== null) return { state, effects: [effect] }
      return stay({ ...state, overlay: null })
    }
  }
}

function chosen(
  { log }: State,
  { what }: Extract<Overlay, { kind: 'list' }>,
  id: string,
  key: Key,
): Effect | null {
  const isEnter = key.name === 'enter'
  const letter = key.name === 'char' ? key.text : ''
  if (what === 'operations') {
    if (isEnter) return { do: 'show-operation', operation: Number(id) }
    if (letter !== 'u') return null
    return { do: 'plan', command: { verb: 'op-undo', operation: Number(id) }, choices: new Map() }
  }
  if (isEnter || letter === 's')
    return { do: 'plan', command: { verb: 'switch', branch: id }, choices: new Map() }
  const current = log?.branches.find((branch) => branch.current)
  if (letter === 'x' && current !== undefined) return { do: 'compare', ends: [current.id, id] }
  return null
}

const CHOICES: Readonly<Record<string, Choice>> = { 1: 'keep-mine', 2: 'put-back', 3: 'mark' }

/**
 * Only `y` applies the plan. Keys that inspect or choose keep it open; any other key cancels it.
 */
function answerPlan(state: State, overlay: PlanOverlay, key: Key): Step {
  const { plan, selected, diffs, choices } = overlay
  const by = movedBy(key)
  if (by !== null)
    return stay({
      ...state,
      overlay: { ...overlay, selected: clamp(selected + by, rowsOf(overlay) - 1) },
    })
  const letter = key.name === 'char' ? key.text : key.name
  const file = plan.files[selected]
  if (file === undefined && selected > 0 && (letter === 'd' || letter === 'enter'))
    return stay(state)
  if (file !== undefined && (letter === 'd' || letter === 'enter')) {
    if (!diffs.has(selected)) return { state, effects: [{ do: 'diff-file', place: selected }] }
    const others = new Map([...diffs].filter(([place]) => place !== selected))
    return stay({ ...state, overlay: { ...overlay, diffs: others } })
  }
  const choice = CHOICES[letter]
  if (choice !== undefined) {
    if (file === undefined) return stay(state)
    if (!file.choices.includes(choice) && !choices.has(file.path))
      return stay({
        ...state,
        message: { text: `${file.path} does not have that choice.`, tone: 'bad' },
      })
    const all = new Map([...choices, [file.path, choice]])
    return {
      state: { ...state, message: null, overlay: { ...overlay, choices: all } },
      effects: [{ do: 'plan', command: overlay.command, choices: all }],
    }
  }
  const isIncluded = 'includeUnsure' in overlay.command && overlay.command.includeUnsure === true
  if (letter === 'i' && (isIncluded || includable(plan.left).length > 0)) {
    const command = { ...overlay.command, includeUnsure: !isIncluded }
    return { state: { ...state, message: null }, effects: [{ do: 'plan', command, choices }] }
  }
  if (letter !== 'y') return stay({ ...state, overlay: null, message: KEPT })
  const open = plan.files.filter(({ verb }) => verb === 'conflict').length
  if (open === 0)
    return { state: { ...state, message: null, applying: beginning }, effects: [{ do: 'apply' }] }
  const files = open === 1 ? 'one file' : `${open} files`
  const text = `Choose for ${files} first: 1 keep mine, 2 restore old, 3 keep both. Nothing is written yet.`
  return stay({ ...state, message: { text, tone: 'bad' } })
}

/** The files of a plan, then the lines below them, so that the keys reach what it leaves alone. */
function rowsOf({ plan }: PlanOverlay): number {
  const anyPaint = makePaint({ colour: false, unicode: false, width: 80 })
  return plan.files.length + planParts(plan, anyPaint).rest.length
}

export const MOVES: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  'page-up': -PAGE,
  'page-down': PAGE,
  home: -Infinity,
  g: -Infinity,
  end: Infinity,
  G: Infinity,
}

/** Null if the key does not move. */
export function movedBy(key: Key): number | null {
  return MOVES[key.name === 'char' ? key.text : key.name] ?? null
}

export function clamp(place: number, last: number): number {
  return Math.max(0, Math.min(place, last))
}

function stay(state: State): Step {
  return { state, effects: [] }
}
