import type { Agent, Proof } from '#agents'
import type { Plan } from '#timeline'
import type { CommandOptions, ConversationPlan, ReadSession } from '../session/index.ts'
import { agentOf, type Machine } from '../ground/index.ts'
import { inNewSession } from './conversation.ts'
import { empties, type PlannedOperation } from './planned.ts'

/**
 * The rows that move a session work in the agent versions that were measured. Any other version is
 * tested with the user's own program first. If it fails the test or cannot be tested, the
 * conversation continues in a new session, which every version reads the same way.
 */

/** Tests the agent's version if the plan relies on it. Returns whether that was necessary. */
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

/** The planned conversation if the agent's version supports it, else a new session. */
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
  // Not tested yet: `planResolved` tests the version and plans again.
  if (proof === null) return conversation
  const isTried = proof === 'obeys' && !isCompacted && !empties(conversation)
  if (isTried) return conversation
  const because = whyNot(agent, proof === 'obeys' ? 'not-tried' : proof, version ?? '')
  return inNewSession(machine, session, { plan, how, because, empties: empties(conversation) })
}

/** Whether rows are appended to this session, now or once the agent has left it. */
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
