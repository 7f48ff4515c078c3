import type { TurnId } from '#timeline'
import type { Damage, OpenSession } from '../../open-session.ts'
import type { TurnEntry } from '../chain/index.ts'
import { sampleOf } from '../../grown-file.ts'
import { addedDirectories, type CodexSession } from '../session/index.ts'
import { openRollout } from '../rows/index.ts'
import { NAME, rowsOf } from '../steps/index.ts'
import { movesOf } from '../move/index.ts'
import { imagesOf } from './images.ts'

export function toPort(session: CodexSession): OpenSession {
  const { file, summary, conversation, current, baseOf } = session
  const find = session.entryOf
  const headEntry = conversation.head === null ? null : find(conversation.head)
  const placesOf = ({ rollout, rows }: TurnEntry): number[] =>
    rowsOf(rollout.path, rows).map(({ place }) => baseOf(rollout.path) + place)
  return {
    agent: NAME,
    file,
    summary,
    conversation,
    damage: damageOf(session),
    identity: current.identity,
    reading: { end: current.end, sample: current.sample },
    continues({ end, sample }) {
      using rollout = openRollout(file.path)
      return sampleOf(rollout, end) === sample
    },
    version: current.outline.meta?.version ?? null,
    title: file.name,
    isCompacted: conversation.lineage.segments.some(
      ({ rollout }) => rollout.outline.boundaries.length > 0,
    ),
    readTurn: (id) => session.readTurn(id),
    readImages: (id) => imagesOf(find(id)),
    readModel: (id) => find(id).rows.model,
    factsOf(id) {
      const { started, ended, rows, answers } = find(id).rows
      return { started: timeOf(started), ended: timeOf(ended), rows, messages: answers + 1 }
    },
    gitBranchOf: (id) => find(id).rollout.outline.meta?.gitBranch ?? null,
    hasCalls: (id) => find(id).rows.calls > 0,
    placesOf: (id) => placesOf(find(id)),
    versionOf(id) {
      const { rollout, rows } = find(id)
      return { key: rows, stamp: `${rollout.path} ${rows.place} ${rows.end}` }
    },
    addedDirectories: (by = Number.POSITIVE_INFINITY) => addedDirectories(session, by),
    turnOfMessage: (id) =>
      conversation.turns.find(({ turn }) =>
        turn.id === id
          ? true
          : session.readTurn(turn.id).answers.some((answer) => answer.id === id),
      )?.turn.id ?? null,
    findRunningTurn: () => (headEntry?.rows.over === null ? conversation.head : null),
    isAnswered: () =>
      headEntry === null || headEntry.rows.over !== null || headEntry.rows.ended !== null,
    hasRunningAgents: () => false,
    forgottenLines: (turns) => forgottenLines(session, turns),
    moves: movesOf(session),
  }
}

function damageOf({ conversation, current }: CodexSession): Damage[] {
  const rollouts = new Set([...conversation.turns.map(({ rollout }) => rollout), current])
  return [...rollouts].flatMap(({ outline, torn }) => [
    ...outline.damage,
    ...(torn === null ? [] : [torn]),
  ])
}

/** A line of a rollout does not say which turn it is of, unless it has the turn's id. */
function forgottenLines(
  { conversation }: CodexSession,
  gone: ReadonlySet<TurnId>,
): ReturnType<OpenSession['forgottenLines']> {
  const names = conversation.turns.map(({ turn: { id }, rows }) => ({ id, task: rows.task ?? id }))
  return {
    isGone(line) {
      const text = line.toString('latin1')
      const named = names.filter(({ task }) => text.includes(task))
      if (named.length === 0) return null
      return named.some(({ id }) => gone.has(id))
    },
    isOfThem: () => false,
  }
}

function timeOf(at: string | null): number | null {
  const time = Date.parse(at ?? '')
  return Number.isNaN(time) ? null : time
}
