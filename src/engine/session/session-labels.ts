import type { SessionSummary } from '#agents'
import { nameBytes } from '#disk'
import { factsNamed, findProjectKey, glanceFacts, listProjects } from '#store'
import { projectRoot, type Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'

/**
 * Facts about whole sessions that users set. They are in the project's store and change only by
 * operations; the agent's file does not contain them and is not touched.
 */
export const SESSION_TITLE = 'session:title'
export const SESSION_ARCHIVED = 'session:archived'
export const SESSION_DELETED = 'session:deleted'
const PREFIX = 'session:'

/** A title, and the one that the session had in the agent when Retake's was set. */
export interface TitleFact {
  readonly text: string
  readonly over: string | null
}

/** When the session was archived or deleted. */
export interface SinceFact {
  readonly at: string
}

export interface SessionMark {
  readonly title: TitleFact | null
  readonly archived: SinceFact | null
  readonly deleted: SinceFact | null
}

const unmarked: SessionMark = { title: null, archived: null, deleted: null }

/** Marks by session id. Reads only the stores of these sessions' projects. */
export function readSessionMarks(
  machine: Machine,
  summaries: readonly Pick<SessionSummary, 'project'>[],
  within?: Project,
): (session: string) => SessionMark {
  const projects = new Set(
    summaries.map(({ project }) => (project === null ? null : projectRoot(machine, project))),
  )
  const isOpen = within !== undefined && projects.delete(within.path)
  const facts = storesOf(machine, projects).flatMap((directory) =>
    glanceFacts(
      { disk: machine.disk, memory: machine.facts, now: machine.now().getTime() },
      directory,
      PREFIX,
    ),
  )
  if (isOpen) facts.push(...factsNamed(within.store.database, PREFIX))
  const bySession = Map.groupBy(facts, ({ session }) => session)
  return (session) => {
    const named = bySession.get(session)
    if (named === undefined) return unmarked
    const find = (name: string) => named.find((fact) => fact.name === name)?.fact ?? null
    return {
      title: find(SESSION_TITLE) as TitleFact | null,
      archived: find(SESSION_ARCHIVED) as SinceFact | null,
      deleted: find(SESSION_DELETED) as SinceFact | null,
    }
  }
}

/** Includes stores of projects that are gone: the marks of their sessions still hold. */
function storesOf(
  { places: { data }, disk }: Machine,
  projects: ReadonlySet<string | null>,
): string[] {
  const gone = new Set<string>()
  const keys = [...projects].flatMap((path) => {
    if (path === null) return []
    const stat = disk.stat(nameBytes(path))
    if (stat?.kind === 'directory') return [findProjectKey(disk, data, { path, stat })]
    gone.add(path)
    return []
  })
  const left = gone.size === 0 ? [] : listProjects(disk, data)
  return [...keys, ...left.filter(({ path }) => gone.has(path)).map(({ key }) => key)].map(
    (key) => `${data}/projects/${key}`,
  )
}

/** The newer title wins: a later rename in the agent replaces Retake's. */
export function titleOf(
  { title: own, givenTitle }: Pick<SessionSummary, 'title' | 'givenTitle'>,
  { title }: SessionMark,
): string {
  if (title === null) return own
  return givenTitle === null || givenTitle === title.over ? title.text : own
}

/** Working in an archived or deleted session brings it back. */
export function isInEffect(
  since: SinceFact | null,
  { updatedAt, live }: { updatedAt: string; live: unknown },
): boolean {
  return since !== null && live === null && updatedAt <= since.at
}
