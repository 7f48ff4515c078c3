import { noTokens, type Subagent } from '#timeline'
import { stepsOf, addTokens } from '#timeline'
import { field, isThreadId, string } from '../rows/index.ts'
import { readMoments, type FindAgent } from '../steps/index.ts'
import type { ReadRollout } from './codex-session.ts'
import { currentOf, metaOf, type Shelf } from './shelf.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Finds the subagent that a call of a thread started: its output names the subagent's thread. */
export function findSubagents(shelf: Shelf, thread: string, read: ReadRollout): FindAgent {
  const seen = new Set<string>([thread])
  const find: FindAgent = (call, output) => {
    const id = output.match(UUID)?.find((each) => isChild(shelf, each) && !seen.has(each))
    const rollout = id === undefined ? null : read(currentOf(shelf, id)?.path ?? '')
    if (id === undefined || rollout === null) return null
    // An agent cannot be below itself, whatever its rollout says.
    seen.add(id)
    const turns = rollout.outline.turns.map((turn) =>
      readMoments(rollout.path, turn, { by: 'subagent', findAgent: find }),
    )
    seen.delete(id)
    const moments = turns.flatMap((turn) => turn.moments)
    return {
      id,
      type: string(field(call.input, 'agent_type')) ?? 'agent',
      description: string(field(call.input, 'message')) ?? '',
      // The agent goes on while the one that started it does something else.
      background: true,
      steps: stepsOf(moments),
      tokens: turns.reduce((sum, turn) => addTokens(sum, turn.tokens), noTokens),
    } satisfies Subagent
  }
  return find
}

function isChild(shelf: Shelf, id: string): boolean {
  if (!isThreadId(id)) return false
  const current = currentOf(shelf, id)
  return current !== null && metaOf(current.path)?.parent != null
}
