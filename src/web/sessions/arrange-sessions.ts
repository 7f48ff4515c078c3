import type { SessionsView } from '#protocol'
import { directoryName } from '../words.ts'

export type SessionView = SessionsView['sessions'][number]

export interface SessionNode {
  readonly session: SessionView
  /** Sessions branched off from it, newest first. */
  readonly below: readonly SessionNode[]
}

export interface ProjectNode {
  readonly path: string | null
  readonly name: string
  readonly sessions: readonly SessionNode[]
}

/** Groups sessions by project, with branch sessions below their parent; newest first everywhere. */
export function arrangeSessions(sessions: readonly SessionView[], filter: string): ProjectNode[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ title, project, id }: SessionView): boolean => {
    const text = `${title} ${project ?? ''} ${id}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const shown = sessions
    .filter(fits)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0))
  const ids = new Set(shown.map(({ id }) => id))
  const below = Map.groupBy(shown, ({ id, parent }) =>
    parent !== undefined && parent.session !== id && ids.has(parent.session)
      ? parent.session
      : null,
  )
  const seen = new Set<string>()
  const node = (session: SessionView): SessionNode => {
    // Transcripts may be wrong: two sessions may name each other as parent.
    seen.add(session.id)
    const children = (below.get(session.id) ?? []).filter(({ id }) => !seen.has(id))
    return { session, below: children.map(node) }
  }
  const roots = (below.get(null) ?? []).map(node)
  const lost = shown.filter(({ id }) => !seen.has(id)).map((session) => ({ session, below: [] }))
  const projects = Map.groupBy([...roots, ...lost], ({ session }) => session.project)
  return [...projects].map(([path, list]) => ({ path, name: directoryName(path), sessions: list }))
}

/** From the first known ancestor to the session itself. */
export function lineageOf(sessions: readonly SessionView[], id: string): SessionView[] {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const path: SessionView[] = []
  for (
    let at = byId.get(id);
    at !== undefined && !path.includes(at);
    at = at.parent === undefined ? undefined : byId.get(at.parent.session)
  )
    path.unshift(at)
  return path
}
