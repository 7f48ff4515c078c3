import { wordsForProgress } from '#protocol'
import { graphemesOf, textWidth } from '../../text/text-width.ts'
import { count, pad, shorten, type Paint } from '../../text/paint.ts'
import { visible } from '../../visible.ts'
import type { EditedLine } from '../edited-line.ts'
import type { Applying, State } from '../state.ts'
import { wrap } from './fit.ts'
import { drawLive, drawOverlay } from './draw-overlay.ts'
import { drawTree } from './draw-tree.ts'
import { drawTurns } from './draw-turns.ts'

export interface Screen {
  readonly lines: readonly string[]
  /** The cursor's position; null hides it. */
  readonly cursor: { readonly x: number; readonly y: number } | null
}

export interface Canvas {
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
  readonly now: number
}

/** Below this width (ROOMY with an overlay) only one pane is shown. */
const TWO_PANES = 60
const ROOMY = 110
const FEW_KEYS = 78
const MANY_KEYS = 104
/** Longer messages need an overlay. */
export const MAX_MESSAGE_LINES = 5

/**
 * Draws the whole screen as lines. Each line fits, because a wrapped line would scroll the screen.
 */
export function drawScreen(state: State, { columns, rows, paint, now }: Canvas): Screen {
  const message = drawSaid(state, columns, paint).slice(0, MAX_MESSAGE_LINES)
  const { line, x } = drawLine(state, columns, paint)
  const rule = paint.quiet(paint.signs.rule.repeat(columns))
  const height = Math.max(3, rows - message.length - 5)
  const panes = drawPanes(state, { columns, rows: height, paint, now })
  const lines = [
    drawHeader(state, { ...paint, width: columns }),
    rule,
    ...panes,
    ...message,
    rule,
    line,
    paint.quiet(
      shorten(keysOf(state, columns).replaceAll('  ', ` ${paint.signs.dot} `), columns - 1, paint),
    ),
  ].slice(0, rows)
  const isTyping = state.filtering || state.focus === 'input' || state.live?.refusing === true
  const hasCursor = isTyping && state.overlay === null
  return { lines, cursor: hasCursor ? { x, y: lines.length - 2 } : null }
}

function drawPanes(state: State, { columns, rows, paint, now }: Canvas): string[] {
  const { left, right } = panesOf(columns, { isCovered: state.overlay !== null })
  const isNarrow = right === columns
  const tree = drawTree(state, { paint: { ...paint, width: left - 1 }, now, height: rows })
  const turns = drawRight(state, { paint: { ...paint, width: right }, height: rows })
  const full = (lines: readonly string[], i: number): string => lines[i] ?? ''
  if (isNarrow) {
    const shown = state.focus === 'tree' && state.overlay === null ? tree : turns
    return Array.from({ length: rows }, (_, i) => full(shown, i))
  }
  const between = paint.quiet(paint.signs.line)
  return Array.from(
    { length: rows },
    (_, i) => `${pad(full(tree, i), left)}${between} ${full(turns, i)}`,
  )
}

/** The width of each pane. In a small window, an overlay gets the full width. */
export function panesOf(
  columns: number,
  { isCovered }: { readonly isCovered: boolean },
): { readonly left: number; readonly right: number } {
  if (columns < (isCovered ? ROOMY : TWO_PANES)) return { left: columns, right: columns }
  const left = Math.min(36, Math.floor(columns / 3))
  return { left, right: columns - left - 2 }
}

function drawRight(state: State, place: { paint: Paint; height: number }): readonly string[] {
  if (state.overlay !== null)
    return drawOverlay(state.overlay, { ...place, isAsked: state.applying === null })
  if (state.live !== null) return drawLive(state.live, place)
  return drawTurns(state, place)
}

function drawHeader({ log, branch }: State, paint: Paint): string {
  if (log === null) return paint.strong(' Retake')
  const { session, turns, head, branches } = log
  const line = turns.filter(({ number }) => number !== null)
  const at = line.find(({ turn }) => turn.id === head)?.number ?? 0
  const undone = line.filter(({ state }) => state === 'undone').length
  const on = branches.find(({ id, current }) => (branch === null ? current : id === branch))
  const looking = on?.current === false ? 'looking at ' : ''
  const label = shorten(on?.label ?? '', 30, paint)
  const facts = [
    `turn ${at} of ${line.length}`,
    undone > 0 ? `${count(undone, 'turn')} undone` : '',
    on === undefined || branches.length < 2 ? '' : `${looking}${paint.signs.branch} ${label}`,
    session.live === null ? '' : 'open in a running agent',
  ].filter((fact) => fact !== '')
  const tail = facts.join(` ${paint.signs.dot} `)
  const title = shorten(session.title || '(no prompt)', paint.width - textWidth(tail) - 4, paint)
  return ` ${paint.strong(title)}  ${paint.quiet(tail)}`
}

function drawSaid(state: State, columns: number, paint: Paint): string[] {
  const { live, message, busy, applying } = state
  if (applying !== null) return [paint.accent(wordsFor(applying, paint))]
  if (live?.approval) {
    const { approval } = live
    const what = visible(approval.title ?? `${approval.tool} ${approval.about}`)
    const always = approval.canAlways ? 'a always  ' : ''
    const keys =
      state.input.text !== '' && !live.refusing
        ? 'Ctrl-U clears the line; then press y or n'
        : live.refusing
          ? 'Why not? Press Enter to send.'
          : `y yes  ${always}n no  w no, and say why  Esc stop`
    const asked = wrap(`Allow ${what}?`, columns - 1).slice(0, MAX_MESSAGE_LINES - 1)
    return [...asked.map(paint.warning), keys]
  }
  if (busy !== null) return [paint.quiet(busy)]
  if (message === null) return []
  const lines = wrap(message.text, columns - 1)
  return message.tone === 'bad' ? lines.map(paint.warning) : lines
}

/** Progress, and the key that stops it. */
function wordsFor({ progress, stopping }: Applying, { signs }: Paint): string {
  if (stopping) return 'Rolling back …'
  const words = progress === null ? 'Working …' : wordsForProgress(progress)
  return progress?.phase === 'finishing' ? words : `${words} ${signs.dot} Esc stops it`
}

/** The input line; a long one shows the part around the cursor. */
function drawLine(
  state: State,
  columns: number,
  paint: Paint,
): { readonly line: string; readonly x: number } {
  const lead = state.filtering ? '/ ' : '> '
  const shown = state.filtering ? state.filter : state.input
  const { text, x } = around(shown, columns - 4, paint)
  const filter =
    !state.filtering && state.filter.text !== '' && shown.text === ''
      ? paint.quiet(`only turns with “${visible(state.filter.text)}”; Esc shows all`)
      : ''
  return { line: `${lead}${text}${filter}`, x: lead.length + x }
}

function around(
  { text, cursor }: EditedLine,
  columns: number,
  { signs }: Paint,
): { readonly text: string; readonly x: number } {
  const parts = graphemesOf(text).map((part) => (part === '\n' ? signs.newline : visible(part)))
  // Start at the cursor: an undone prompt can be longer than a thousand screens.
  let start = Math.min(cursor, parts.length)
  let x = 0
  for (; start > 0; start--) {
    const width = textWidth(parts[start - 1]!)
    if (x + width > columns) break
    x += width
  }
  let shown = ''
  let used = 0
  for (let at = start; at < parts.length; at++) {
    used += textWidth(parts[at]!)
    if (used > columns) break
    shown += parts[at]!
  }
  return { text: shown, x }
}

function keysOf({ overlay, focus, filtering, live, applying }: State, columns: number): string {
  if (applying !== null) return 'Esc stop it'
  if (overlay?.kind === 'plan') return 'y continue  d diff  up/down file  any other key cancels'
  if (overlay?.kind === 'text') return 'up/down scroll  q close'
  if (overlay?.kind === 'list' && overlay.what === 'branches')
    return 'Enter switch  x compare  q close'
  if (overlay?.kind === 'list') return 'Enter show  u undo it  q close'
  if (filtering) return 'Enter keep  Esc show all'
  if (focus === 'input')
    return live?.running === true
      ? 'Esc stop'
      : 'Enter send  /help commands  Tab complete  Esc back'
  if (focus === 'tree') return 'Enter open  s switch  left/right fold  Tab turns  ? keys  q quit'
  if (columns < FEW_KEYS) return 'Enter show  u undo  r redo  ? keys  q quit'
  return columns < MANY_KEYS
    ? 'Enter show  u undo  r redo  b branches  / find  i say  ? keys  q quit'
    : 'Enter show  u undo  r redo  b branches  c name  x compare  d diff  o ops  / find  i say  ? keys'
}
