import { buildTree, type TurnId } from '#timeline'
import type { BranchRecord, SessionSummary } from '../../session-file.ts'
import type { Conversation } from '../chain/index.ts'
import type { Rollout, RolloutMeta } from '../rows/index.ts'
import type { CodexFile } from './shelf.ts'

const MAX_TITLE = 200

export function summarize(
  file: CodexFile,
  current: Rollout,
  conversation: Conversation,
): SessionSummary {
  const { turns, head } = conversation
  const { meta, latest } = current.outline
  const firstPrompt = turns[0]?.turn.prompt ?? ''
  const all = turns.map(({ turn }) => turn)
  const tree = buildTree('', all, head)
  const parent = meta?.forkedFrom ?? null
  const shared = parent === null ? null : lastShared(conversation, current)
  return {
    agent: file.agent,
    id: file.id,
    path: file.path,
    title: oneLine(file.name ?? firstPrompt),
    givenTitle: file.name,
    project: meta?.cwd ?? null,
    updatedAt: later(latest ?? modifiedAt(file), meta),
    bornAt: file.bornAt.toISOString(),
    branch: branchOf(meta),
    firstPrompt: oneLine(firstPrompt),
    counted: {
      turns: tree.line.length,
      messages: countMessages(conversation),
      branches: tree.branches.length,
      head,
      turnIds: all.map(({ id }) => id),
      forkedFrom: parent === null ? null : { session: parent, uuid: shared ?? '' },
      damaged: current.outline.damage.length + (current.torn === null ? 0 : 1),
    },
  }
}

function branchOf(meta: RolloutMeta | null): BranchRecord | null {
  if (meta?.branch == null) return null
  const { parentSessionId, rewindFromTurn, turn, rewoundAt } = meta.branch
  return { parentSessionId, rewindFromTurn, turn, rewoundAt }
}

/** The last turn that a fork has from its parent. */
function lastShared({ lineage }: Conversation, current: Rollout): string | null {
  const older = lineage.segments.filter(({ rollout }) => rollout.path !== current.path)
  return older.at(-1)?.rollout.outline.turns.at(-1)?.id ?? null
}

function countMessages({ turns, head }: Conversation): number {
  const byId = new Map(turns.map((entry) => [entry.turn.id, entry]))
  let count = 0
  for (let at: TurnId | null = head; at !== null; at = byId.get(at)?.turn.parent ?? null)
    count += 1 + (byId.get(at)?.rows.answers ?? 0)
  return count
}

/** A branch is as new as its creation, although its turns are older. */
function later(updatedAt: string, meta: RolloutMeta | null): string {
  const made = meta?.branch?.rewoundAt ?? ''
  return made > updatedAt ? made : updatedAt
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE)
}

export function modifiedAt({ identity }: Pick<CodexFile, 'identity'>): string {
  return new Date(Number(identity.modified / 1_000_000n)).toISOString()
}
