import type { SessionReport } from '#timeline'
import { ageOf } from './age.ts'
import { count, pad, shorten, type Paint } from './paint.ts'

/** Projects with their sessions, newest first; forked sessions below their parent. */
export function sessionsText(
  sessions: readonly SessionReport[],
  paint: Paint,
  { home, now }: { home: string; now: number },
): string {
  const lines: string[] = []
  for (const [project, list] of Map.groupBy(sessions, (session) => session.project)) {
    if (lines.length > 0) lines.push('')
    lines.push(paint.strong(project === null ? '(no project)' : tildeFor(project, home)))
    const here = new Set(list.map(({ id }) => id))
    const roots = list
      .filter(({ parent }) => parent === null || !here.has(parent.session))
      .sort((a, b) => Number(a.archived) - Number(b.archived))
    for (const root of roots) drawFamily(root, list, 1, lines, paint, now)
  }
  return lines.join('\n')
}

export function tildeFor(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

function drawFamily(
  session: SessionReport,
  all: readonly SessionReport[],
  depth: number,
  lines: string[],
  paint: Paint,
  now: number,
): void {
  lines.push(drawSession(session, depth, paint, now))
  // Parents are older, so this ends; the depth limit stops at a forged cycle.
  if (depth > 20) return
  for (const child of all)
    if (child.parent?.session === session.id && child.id !== session.id)
      drawFamily(child, all, depth + 1, lines, paint, now)
}

function drawSession(session: SessionReport, depth: number, paint: Paint, now: number): string {
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
  const room = Math.max(16, paint.width - indent.length - 10 - facts.length - 12)
  const title = session.title === '' ? '(no prompt)' : session.title
  return `${indent}${paint.accent(session.id.slice(0, 8))}  ${pad(shorten(title, room, paint), room)}  ${paint.quiet(facts)}${live}`.trimEnd()
}
