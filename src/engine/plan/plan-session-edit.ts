import { Failure } from '#failure'
import { getSessionFact, type Store } from '#store'
import type { BranchName, FactChange } from '#timeline'
import { agentOf, type Machine, fingerprint } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import type { Planned } from './planned.ts'
import { plannedFacts } from './planned-facts.ts'
import {
  isInEffect,
  liveProcesses,
  readSession,
  SESSION_ARCHIVED,
  SESSION_DELETED,
  SESSION_TITLE,
  type ResolvedCommand,
  type CommandOptions,
  type ReadSession,
  type SessionEdit,
  type SinceFact,
  type TitleFact,
} from '../session/index.ts'
import { checkTitle } from './rename-session.ts'

export function isSessionEdit(asked: ResolvedCommand): asked is SessionEdit {
  return Object.hasOwn(NAMES, asked.verb)
}

/** Plans to rename, archive or delete sessions of one project. Touches no file of the agent. */
export function planSessionEdit(
  machine: Machine,
  project: Project,
  session: ReadSession,
  { asked, how }: { asked: SessionEdit; how: CommandOptions },
): Planned {
  const { report } = session
  const { verb } = asked
  const sessions = [report.id, ...('also' in asked ? asked.also : [])]
    .filter((id, n, all) => all.indexOf(id) === n)
    .map((id) =>
      id === report.id ? session : readSession(machine, { session: id, project: null }),
    )
  for (const each of sessions) {
    refuseElsewhere(each, report.project)
    if (verb === 'session-delete') refuseOpen(machine, each)
  }
  const facts = sessions
    .map((each) => factOf(project.store, each, asked, machine.now().toISOString()))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
  if (facts.length === 0)
    return { kind: 'nothing-to-do', verb, why: 'already-there', unsure: [], session }
  const said = new Set(facts.map((fact) => fact.session))
  return plannedFacts(machine, project, session, {
    id: planId(asked, facts),
    verb,
    asked,
    how,
    facts,
    branches: sessions.filter((each) => said.has(each.report.id)).map(nameOf),
    name: asked.verb === 'session-rename' ? checkTitle(asked.name) : null,
  })
}

function factOf(
  store: Store,
  { report, open }: ReadSession,
  asked: SessionEdit,
  at: string,
): FactChange {
  const name = NAMES[asked.verb]
  const before = getSessionFact(store, report.id, name) ?? null
  const change = (after: unknown): FactChange => ({ session: report.id, name, before, after })
  if (asked.verb === 'session-unarchive') return change(null)
  if (asked.verb !== 'session-rename')
    return change(isInEffect(before as SinceFact | null, report) ? before : { at })
  const over = open.title
  return change({ text: checkTitle(asked.name), over } satisfies TitleFact)
}

const NAMES: Record<SessionEdit['verb'], string> = {
  'session-rename': SESSION_TITLE,
  'session-archive': SESSION_ARCHIVED,
  'session-unarchive': SESSION_ARCHIVED,
  'session-delete': SESSION_DELETED,
}

function nameOf({ report }: ReadSession): BranchName {
  return { id: report.id, label: report.title }
}

/** An operation belongs to one project, and so does its undo. */
function refuseElsewhere({ report }: ReadSession, project: string | null): void {
  if (report.project === project) return
  throw new Failure('usage', 'These sessions belong to different projects.', {
    hint: 'Give sessions of one project at a time.',
  })
}

/** A session that is in use must not be hidden (sem.K1). */
function refuseOpen(machine: Machine, { report }: ReadSession): void {
  const [live] = liveProcesses(machine, report.id)
  if (live === undefined) return
  throw new Failure(
    'session-live',
    `“${report.title}” is open in a running agent (process ${live.pid}).`,
    { hint: `Leave it there with ${agentOf(machine, report).words.leave}, then try again.` },
  )
}

/** Leaves out the new values: the time in them would make two equal plans differ. */
function planId(asked: SessionEdit, facts: readonly FactChange[]): string {
  return fingerprint({
    asked,
    facts: facts.map(({ session, name, before }) => [session, name, before]),
  })
}
