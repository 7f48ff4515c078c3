import { textWidth } from '../../text/text-width.ts'
import type { TurnReport } from '#timeline'
import { filesNote, promptOf } from '../../text/log-text.ts'
import { count, pad, type Paint } from '../../text/paint.ts'
import { turnRows, type TurnRow } from '../rows.ts'
import type { State } from '../state.ts'
import { windowRange } from './fit.ts'

/** The right pane: one line per turn, undone ones below the head. */
export function drawTurns(
  state: State,
  { paint, height }: { paint: Paint; height: number },
): readonly string[] {
  if (state.log === null) return [paint.quiet(' No turns yet. Press i to send a prompt.')]
  const rows = turnRows(state)
  if (rows.length === 0) return [paint.quiet(' No turns match. Press Esc to show all.')]
  const selected = rows.findIndex(({ key }) => key === state.turnRow)
  const { top, end } = windowRange(rows.length, selected, height)
  return rows.slice(top, end).map((row, i) => {
    const isSelected = top + i === selected && state.focus === 'turns'
    const isMarked = row.key === state.marked
    const lead = isSelected ? paint.signs.pick : isMarked ? 'x' : ' '
    const line = `${lead}${drawRow(row, state.log!.head, paint)}`
    return isSelected ? paint.strong(line) : line
  })
}

function drawRow(row: TurnRow, head: string | null, paint: Paint): string {
  const { signs } = paint
  if (row.kind === 'current') return paint.accent(` ${signs.here} (current)`)
  const { turn, number } = row
  const isHead = turn.turn.id === head
  const tail = factsOf(turn, paint).join('  ')
  const room = Math.max(10, paint.width - textWidth(tail) - 10)
  const sign = isHead ? paint.accent(signs.head) : signs[turn.state]
  const prompt = pad(promptOf(turn, room, paint), room)
  const line = ` ${sign} ${number.padStart(3)} ${prompt} ${paint.quiet(tail)}`
  return turn.state === 'undone' ? paint.quiet(line) : line
}

function factsOf(report: TurnReport, paint: Paint): string[] {
  const { files, checkpoints, children, state, turn } = report
  const { signs } = paint
  return [
    files.length > 0 ? count(files.length, 'file') : '',
    children > 1 ? `${signs.branch}${children}` : '',
    ...checkpoints.map((name) => `${signs.flag} ${name}`),
    turn.interrupted ? 'stopped' : '',
    filesNote(report),
    // As a word, because dimming is invisible without colours and to screen readers.
    state === 'undone' ? 'undone' : '',
  ].filter((fact) => fact !== '')
}
