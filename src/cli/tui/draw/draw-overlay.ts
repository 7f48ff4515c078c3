import { count, type Paint } from '../../text/paint.ts'
import { planParts } from '../../text/plan-text.ts'
import { diffText } from '../../text/show-text.ts'
import { textWidth } from '../../text/text-width.ts'
import { allVisible } from '../../visible.ts'
import type { Live, Overlay, PlanOverlay } from '../state.ts'
import { windowOf, windowRange, wrap } from './fit.ts'

interface Place {
  readonly paint: Paint
  readonly height: number
}

interface OverlayPlace extends Place {
  /** The plan waits for an answer. */
  readonly isAsked: boolean
}

/** Draws the overlay. */
export function drawOverlay(
  overlay: Overlay,
  { paint, height, isAsked }: OverlayPlace,
): readonly string[] {
  switch (overlay.kind) {
    case 'plan':
      return drawPlan(overlay, { paint, height, isAsked })
    case 'stop': {
      const { command, agent } = overlay
      const files = command.verb === 'back' ? '; files stay' : ''
      return [
        ...wrap(`${agent} is working in its terminal`, paint.width - 1).map(paint.strong),
        ...wrap(`Retake can stop the turn and undo it${files}.`, paint.width - 1),
        '',
        paint.accent('Press y to continue; any other key cancels'),
      ]
    }
    case 'text': {
      const lines = wrap(overlay.text, paint.width - 1)
      const top = Math.min(overlay.top, Math.max(0, lines.length - height + 1))
      const shown = lines.slice(top, top + height - 1)
      const end = top + shown.length
      const more = end < lines.length ? ` ${end} of ${lines.length}` : ''
      return [`${paint.strong(overlay.title)}${paint.quiet(more)}`, ...shown]
    }
    case 'list': {
      const lines = overlay.rows.map(({ text }, i) => {
        const isSelected = i === overlay.selected
        return `${isSelected ? paint.signs.pick : ' '}${isSelected ? paint.strong(text) : text}`
      })
      const title = overlay.what === 'branches' ? 'Branches' : 'Operations'
      const none = paint.quiet(overlay.what === 'branches' ? 'No turns.' : 'No operations yet.')
      return [
        paint.strong(title),
        ...windowOf(lines.length === 0 ? [none] : lines, overlay.selected, height - 1),
      ]
    }
  }
}

function drawPlan(
  overlay: PlanOverlay,
  { paint, height, isAsked }: OverlayPlace,
): readonly string[] {
  const plan = allVisible(overlay.plan)
  const { headline, files, rest } = planParts(plan, paint, { fits: true })
  const first = wrap(headline, paint.width - 1).map(paint.strong)
  const lines: string[] = []
  let selected = 0
  for (const [i, drawn] of files.entries()) {
    if (i === overlay.selected) selected = lines.length
    const [row = '', ...more] = drawn
    const isSelected = i === overlay.selected
    const { path } = plan.files[i]!
    lines.push(`${isSelected ? paint.signs.pick : ' '}${row.slice(1)}`)
    // Show the whole path of the selected file if it was shortened.
    if (isSelected && !row.includes(path)) lines.push(...wrap(path, paint.width - 6).map(indent))
    lines.push(...more.flatMap((line) => wrap(line, paint.width - 1)))
    const diff = overlay.diffs.get(i)
    if (diff !== undefined)
      lines.push(
        ...diffText(allVisible(diff), paint)
          .slice(2)
          .flatMap((line) => wrap(line, paint.width - 6))
          .map(indent),
      )
  }
  for (const [i, line] of rest.entries()) {
    const isSelected = files.length + i === overlay.selected
    if (isSelected) selected = lines.length
    lines.push(...wrap(isSelected ? withPick(line, paint) : line, paint.width - 1))
  }
  const conflicts = overlay.plan.files.filter(({ verb }) => verb === 'conflict').length
  const ask =
    conflicts > 0
      ? paint.warning(`${count(conflicts, 'conflict')}: 1 keep mine, 2 restore old, 3 keep both`)
      : paint.accent('Press y to continue; any other key cancels')
  const room = Math.max(1, height - first.length - 1)
  const { end } = windowRange(lines.length, selected, room)
  const more = `  ${end} of ${lines.length} lines`
  const fits = textWidth(ask) + more.length < paint.width
  const last = end < lines.length && fits ? `${ask}${paint.quiet(more)}` : ask
  return [...first, ...windowOf(lines, selected, room), isAsked ? last : '']
}

/** Puts the marker in the place of the first space, after colours. */
function withPick(line: string, { signs }: Paint): string {
  return line.replace(' ', signs.pick)
}

function indent(line: string): string {
  return `     ${line}`
}

/** A running turn: its newest lines. */
export function drawLive(live: Live, { paint, height }: Place): readonly string[] {
  const prompt = wrap(`> ${allVisible(live.prompt)}`, paint.width - 1).map(paint.strong)
  const message = wrap(live.text.trimEnd(), paint.width - 1)
  const end = live.running ? paint.quiet('working; Esc stops it') : ''
  return [...prompt, ...message, end].slice(-height)
}
