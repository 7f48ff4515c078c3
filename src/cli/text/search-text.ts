import { shortId, type FoundTurn, type SearchReport } from '#timeline'
import { ageOf } from './age.ts'
import { count, pad, shorten, type Paint } from './paint.ts'
import { tildeFor } from './sessions-text.ts'

/** Sessions ordered by their best turn; below each its turns, with excerpts. */
export function searchText(
  { turns, files }: SearchReport,
  paint: Paint,
  { home, now }: { home: string; now: number },
): string {
  const lines: string[] = []
  for (const [session, found] of Map.groupBy(turns, (turn) => turn.session)) {
    const { title, project } = found[0]!
    const where = project === null ? '' : tildeFor(project, home)
    const room = Math.max(20, paint.width - where.length - 14)
    const name = shorten(title || '(no prompt)', room, paint)
    lines.push(
      `${paint.accent(shortId(session))}  ${paint.strong(name)}  ${paint.quiet(where)}`.trimEnd(),
      ...found.flatMap((turn) => drawTurn(turn, paint, now)),
    )
  }
  if (files.length > 0) lines.push('', paint.strong('Files'))
  for (const { path, project, turns: changed } of files) {
    const where = project === null ? '' : `  ${tildeFor(project, home)}`
    lines.push(`  ${path}${paint.quiet(`${where}  changed in ${count(changed, 'turn')}`)}`)
  }
  lines.push('', paint.quiet('`retake show TURN --session ID` shows one of them.'))
  return lines.join('\n')
}

function drawTurn(found: FoundTurn, paint: Paint, now: number): string[] {
  const { turn, state, branch, prompt, at, field } = found
  const { signs } = paint
  const name = turn.number === null ? shortId(turn.id) : String(turn.number)
  const facts = [
    at === null ? '' : ageOf(at, now),
    state === 'undone' ? 'undone' : '',
    state === 'other' ? `${signs.branch} ${branch.label}` : '',
  ].filter((fact) => fact !== '')
  const tail = facts.join(` ${signs.dot} `)
  const room = Math.max(20, paint.width - tail.length - 17)
  const said = shorten(prompt.split('\n', 1)[0]!, room, paint)
  const line = `  ${signs[state]} ${pad(name, 8)} ${said}  ${paint.quiet(tail)}`.trimEnd()
  return field === 'prompt' ? [line] : [line, `             ${excerptOf(found, paint)}`]
}

/** Highlights the hits, on one line. */
function excerptOf({ excerpt, field }: FoundTurn, paint: Paint): string {
  const text = excerpt.map(({ text: part, hit }) => {
    const flat = part.replaceAll(/\s+/g, ' ')
    return hit ? paint.accent(flat) : paint.quiet(flat)
  })
  return `${paint.quiet(`${field}: `)}${text.join('')}`
}
