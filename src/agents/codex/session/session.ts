import { editsOf, stepsOf, tokensOf } from '#timeline'
import type { TurnEntry } from '../chain/index.ts'
import { buildConversation } from '../chain/index.ts'
import type { Rollout } from '../rows/index.ts'
import { readMoments } from '../steps/index.ts'
import type { CodexSession, ReadRollout } from './codex-session.ts'
import type { CodexFile, Shelf } from './shelf.ts'
import { findSubagents } from './subagents.ts'
import { summarize } from './summary.ts'

export function openSession(
  file: CodexFile,
  shelf: Shelf,
  { read, current }: { read: ReadRollout; current: Rollout },
): CodexSession {
  const find = (id: string): Rollout | null => {
    const found = shelf.byRollout.get(id)
    return found === undefined ? null : read(found.path)
  }
  const others = file.others.flatMap(({ path }) => read(path) ?? [])
  const conversation = buildConversation(current, others, find)
  const entries = new Map(conversation.turns.map((entry) => [entry.turn.id, entry]))
  const bases = layOut(conversation.turns, current)
  const findAgent = findSubagents(shelf, file.id, read)
  return {
    file,
    shelf,
    current,
    conversation,
    summary: summarize(file, current, conversation),
    entryOf: (id) => entries.get(id)!,
    baseOf: (path) => bases.get(path) ?? 0,
    readTurn(id) {
      const { rollout, rows } = entries.get(id)!
      const read = readMoments(rollout.path, rows, { by: 'agent', findAgent })
      const steps = stepsOf(read.moments)
      return {
        ...read,
        tokens: tokensOf(read.tokens, steps),
        messages: 1 + read.answers.length,
        hasAgents: steps.some(({ agent }) => agent !== null),
        edits: editsOf(steps),
      }
    },
  }
}

/**
 * Puts the rollouts one after the other, so that places stay in order. The current one begins at 0,
 * because it grows: the places before it are negative.
 */
function layOut(turns: readonly TurnEntry[], current: Rollout): ReadonlyMap<string, number> {
  const older = new Map(
    turns.flatMap(({ rollout }) =>
      rollout.path === current.path ? [] : [[rollout.path, rollout]],
    ),
  )
  const bases = new Map([[current.path, 0]])
  let base = 0
  for (const [path, { identity }] of [...older].toReversed())
    bases.set(path, (base -= identity.size))
  return bases
}
