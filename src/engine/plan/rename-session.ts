import { command, Failure, remedy } from '#failure'
import type { Command } from '#protocol'
import type { FactChange } from '#timeline'
import {
  findBranch,
  isTrunk,
  listSessions,
  readSession,
  type ResolvedCommand,
  type CommandOptions,
  type ReadSession,
  type TitlePlan,
  type SessionQuery,
} from '../session/index.ts'
import { refuseLive } from './conversation.ts'
import { type Machine, fingerprint } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import type { Planned } from './planned.ts'
import { plannedFacts } from './planned-facts.ts'

/** The fact that records a title from Retake, so that an undo can tell whether it changed since. */
const TITLE = 'title'

/** Finds what to rename: a branch of the session, or a branch session by its id. */
export function renameOf(
  machine: Machine,
  wanted: SessionQuery,
  { branch: text, name }: { branch: string; name: string },
): { readonly session: string; readonly command: Command } {
  const session = readSession(machine, wanted)
  const { tree, report } = session
  const made = branchSessions(machine, session, text)
  if (made.length === 0) {
    const { id } = findBranch(tree, text)
    return { session: report.id, command: { verb: 'branch-rename', branch: id, name } }
  }
  const branches = tree.branches.filter(
    (branch) => !isTrunk(tree, branch) && branch.id.startsWith(text),
  )
  if (made.length + branches.length > 1)
    throw new Failure('branch-ambiguous', `Several branches and sessions begin with ${text}.`, {
      hint: 'Give more characters of the id.',
    })
  return { session: made[0]!, command: { verb: 'session-title', name } }
}

/** Sessions of the project that Retake or the agent branched from another one. */
function branchSessions(machine: Machine, { report }: ReadSession, text: string): string[] {
  if (text.length < 4) return []
  return listSessions(machine, report.project)
    .filter(({ id, parent }) => parent !== null && id.startsWith(text))
    .map(({ id }) => id)
}

export function planRename(
  machine: Machine,
  project: Project,
  session: ReadSession,
  {
    asked,
    how,
  }: { asked: Extract<ResolvedCommand, { verb: 'session-title' }>; how: CommandOptions },
): Planned {
  const { report, open } = session
  const after = checkTitle(asked.name)
  const before = open.title
  const verb = 'branch-rename'
  if (before === after)
    return { kind: 'nothing-to-do', verb, why: 'already-there', unsure: [], session }
  const facts = [{ session: report.id, name: TITLE, before, after }]
  return plannedFacts(machine, project, session, {
    id: planId(session, facts),
    verb,
    asked,
    how,
    facts,
    branches: [{ id: report.id, label: report.title }],
    name: after,
    conversation: planTitle(machine, session, facts)!,
  })
}

/** The title that an operation or its undo writes; null if the facts change no title. */
export function planTitle(
  machine: Machine,
  session: ReadSession,
  facts: readonly FactChange[],
): TitlePlan | null {
  const fact = facts.find(({ name }) => name === TITLE)
  if (fact === undefined) return null
  refuseLive(machine, session)
  const { open } = session
  const title = fact.after as string | null
  if (open.title !== fact.before)
    throw new Failure('title-changed', 'The session was renamed since then, not by Retake.', {
      hint: remedy`That title stays. ${command('branch rename', ['SESSION', 'NAME'])} to change it.`,
    })
  return { kind: 'title', step: open.moves.planTitle(title), title }
}

/** Reads the title back before the operation is reported as done. */
export function verifyTitle(machine: Machine, session: string, { title }: TitlePlan): void {
  const { open } = readSession(machine, { session, project: null })
  if (open.title === title) return
  throw new Failure('move-not-seen', 'The session does not have the title that it was given.', {
    hint: remedy`Another program wrote to the transcript. ${command('op undo')} to undo the operation.`,
  })
}

const MAX_LENGTH = 200

export function checkTitle(text: string): string {
  const title = text.trim().replaceAll(/\s+/g, ' ')
  if (title !== '' && title.length <= MAX_LENGTH && !/\p{Cc}/u.test(title)) return title
  throw new Failure('name-not-possible', 'That is not a valid title.', {
    hint: `A title has 1 to ${MAX_LENGTH} visible characters.`,
  })
}

function planId({ open }: ReadSession, facts: readonly FactChange[]): string {
  const { inode, size } = open.identity
  return fingerprint({ facts, transcript: `${inode}:${size}` })
}
