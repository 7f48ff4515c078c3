import { ageOf } from '../../text/age.ts'
import { pad, shorten, type Paint } from '../../text/paint.ts'
import { selectedTreeRow, treeRows, type TreeRow } from '../rows.ts'
import type { State } from '../state.ts'
import { windowRange } from './fit.ts'

/** The left pane: sessions, their branches, and sessions forked from them. */
export function drawTree(
  state: State,
  { paint, now, height }: { paint: Paint; now: number; height: number },
): readonly string[] {
  const rows = treeRows(state)
  if (rows.length === 0)
    return [paint.quiet(state.sessions.length === 0 ? ' No sessions yet.' : ' No sessions match.')]
  const isMixed = new Set(state.sessions.map(({ agent }) => agent)).size > 1
  const selected = rows.findIndex(({ key }) => key === selectedTreeRow(state)?.key)
  const { top, end } = windowRange(rows.length, selected, height)
  return rows.slice(top, end).map((row, i) => {
    const isSelected = top + i === selected && state.focus === 'tree'
    const line = `${isSelected ? paint.signs.pick : ' '}${drawRow(row, { paint, now, isMixed })}`
    return isSelected ? paint.strong(line) : line
  })
}

function drawRow(
  row: TreeRow,
  { paint, now, isMixed }: { paint: Paint; now: number; isMixed: boolean },
): string {
  const { signs } = paint
  const indent = '  '.repeat(Math.min(row.depth, 4))
  if (row.kind === 'branch') {
    const { label, current, archived, turns } = row.branch
    const sign = current ? paint.accent(signs.head) : archived ? signs.undone : signs.other
    const room = paint.width - indent.length - 8
    const name = shorten(label, room, paint)
    return `${indent}${sign} ${pad(name, room)} ${paint.quiet(String(turns.length))}`
  }
  const { session, isOpen, folds } = row
  const sign = folds === null ? ' ' : folds === 'open' ? signs.unfolded : signs.fold
  const age = session.live === 'busy' ? 'works' : ageOf(session.updatedAt, now)
  // The agent's own name: which one it is matters only if there are several.
  const mark = isMixed ? `${session.agent} ` : ''
  const room = paint.width - indent.length - age.length - mark.length - 4
  const title = pad(shorten(session.title || '(no prompt)', room, paint), room)
  const live = session.live === null ? paint.quiet(age) : paint.added(age)
  return `${indent}${sign} ${paint.quiet(mark)}${isOpen ? paint.accent(title) : title} ${live}`
}
