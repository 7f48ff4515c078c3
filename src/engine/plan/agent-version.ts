import type { Agent, Proof } from '#agents'
import { Failure, add, drop, remedy } from '#failure'
import type { Plan } from '#timeline'
import {
  planNewSession,
  type CommandOptions,
  type ConversationPlan,
  type ReadSession,
} from '../session/index.ts'
import { agentOf, type Machine } from '../ground/index.ts'
import { empties, type PlannedOperation } from './planned.ts'

/**
 * The lines that move a session are obeyed by the versions of the agent that were measured. Of
 * another one the user's own program is tried; where it does not obey, or cannot be tried, the
 * conversation goes on in a new session, which has nothing in it that could be taken otherwise.
 */

/** Tries the agent's version if the plan relies on it; true when that was necessary. */
export async function tryVersion(
  machine: Machine,
  { session, conversation }: PlannedOperation,
): Promise<boolean> {
  const { version } = session.open
  if (version === null || !(isInPlace(conversation) || 'because' in conversation)) return false
  const agent = agentOf(machine, session.open)
  if (agent.versions.isMeasured(version)) return false
  const { places } = machine
  await machine.proofsOf(agent).prove(version, {
    programs: places.programs,
    outside: [session.report.project ?? places.cwd],
    scratch: places.cache,
    now: () => machine.now(),
    newId: () => machine.newId(),
  })
  return true
}

/** As planned where the agent obeys, else in a session of its own. */
export function orInNewSession(
  machine: Machine,
  session: ReadSession,
  planned: { plan: Plan; how: CommandOptions; conversation: ConversationPlan },
): ConversationPlan {
  const { conversation, plan, how } = planned
  const { version, isCompacted } = session.open
  const agent = agentOf(machine, session.open)
  if (!isInPlace(conversation) || agent.versions.isMeasured(version)) return conversation
  const proof = version === null ? 'no-version' : machine.proofsOf(agent).of(version)
  // Nobody has looked yet: whoever asked for the plan looks, and asks again.
  if (proof === null) return conversation
  const isTried = proof === 'obeys' && !isCompacted && !empties(conversation)
  if (isTried) return conversation
  const because = whyNot(agent, proof === 'obeys' ? 'not-tried' : proof, version ?? '')
  if (empties(conversation) || how.keepPrompt === true)
    throw new Failure('version-unknown', `${because}.`, {
      hint: remedy`${drop('whole', 'keepPrompt')} to continue in a new session, or ${add('only', 'files')} to move only the files.`,
    })
  const made = planNewSession(machine, session, { turn: plan.to.turn!, title: null, how })
  return { ...made, because }
}

/** Whether lines are appended to the session, now or when the agent has left it. */
function isInPlace({ kind }: ConversationPlan): boolean {
  return kind === 'move' || kind === 'empty' || kind === 'pending'
}

function whyNot(
  { words: { name, program } }: Agent,
  why: Exclude<Proof, 'obeys'> | 'no-version' | 'not-tried',
  version: string,
): string {
  const unknown = `${name} ${version} is not supported by this Retake`
  switch (why) {
    case 'no-version':
      return `The session does not say which version of ${name} wrote it`
    case 'no-program':
      return `${unknown}, and there is no \`${program}\` to test it with`
    case 'no-trial':
      return `${unknown}, and could not be tested`
    case 'another-version':
      return `${unknown}, and the installed \`${program}\` is another version`
    case 'does-not':
      return `${unknown}, and in a test it did not continue from the right place`
    case 'not-tried':
      return `${unknown}, and was not tested with compacted or emptied conversations`
  }
}
