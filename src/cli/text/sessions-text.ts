import { shortId, type SessionReport } from '#timeline'
import { ageOf } from './age.ts'
import { count, pad, shorten, type Paint } from './paint.ts'

/** What marks the sessions of each agent; empty if all are of the same one. */
export type AgentMarks = ReadonlyMap<string, string>

/** Projects with their sessions, newest first; forked sessions below their parent. */
export function sessionsText(
  sessions: readonly SessionReport[],
  paint: Paint,
  { home, now, marks }: { home: string; now: number; marks: AgentMarks },
): string {
  const lines: string[] = []
  for (const [project, list] of Map.groupBy(sessions, (session) => session.project)) {
    if (lines.length > 0) lines.push('')
    lines.push(paint.strong(project === null ? '(no project)' : tildeFor(project, home)))
    const here = new Set(list.map(({ id }) => id))
    const roots = list
      .filter(({ parent }) => parent === null || !here.has(parent.session))
      .sort((a, b) => Number(a.archived) - Number(b.archived))
    for (const root of roots) drawFamily(root, list, 1, lines, { paint, now, marks })
  }
  return lines.join('\n')
}

export function tildeFor(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

interface Drawing {
  readonly paint: Paint
  readonly now: number
  readonly marks: AgentMarks
}

function drawFamily(
  session: SessionReport,
  all: readonly SessionReport[],
  depth: number,
  lines: string[],
  how: Drawing,
): void {
  lines.push(drawSession(session, depth, how))
  // Parents are older, so this ends; the depth limit stops at a forged cycle.
  if (depth > 20) return
  for (const child of all)
    if (child.parent?.session === session.id && child.id !== session.id)
      drawFamily(child, all, depth + 1, lines, how)
}

function drawSession(
  session: SessionReport,
  depth: number,
  { paint, now, marks }: Drawing,
): string {
  const { signs } = paint
  const indent = '  '.repeat(depth) + (depth > 1 ? `${signs.branch} ` : '')
  const turns = session.turns === null ? '' : count(session.turns, 'turn')
  const branches =
    session.branches !== null && session.branches > 1 ? `${signs.branch} ${session.branches}` : ''
  const facts = pad(turns, 10) + pad(branches, 5) + pad(ageOf(session.updatedAt, now), 9)
  const live =
    session.live === null
      ? paint.quiet(session.archived ? 'archived' : '')
      : paint.added(`${signs.live} ${session.live === 'busy' ? 'working' : 'open'}`)
  const id = shortId(session.id)
  const widest = Math.max(0, ...[...marks.values()].map((mark) => mark.length + 2))
  const mark = widest === 0 ? '' : pad(marks.get(session.agent) ?? '', widest)
  const room = Math.max(
    16,
    paint.width - indent.length - 2 - id.length - mark.length - facts.length - 12,
  )
  const title = session.title === '' ? '(no prompt)' : session.title
  return `${indent}${paint.accent(id)}  ${paint.quiet(mark)}${pad(shorten(title, room, paint), room)}  ${paint.quiet(facts)}${live}`.trimEnd()
}
