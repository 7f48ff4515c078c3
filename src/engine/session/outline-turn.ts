import type { OpenSession, TurnReading } from '#agents'
import {
  stepsOf,
  unknownEffects,
  type FileReport,
  type Step,
  type Tokens,
  type TurnId,
} from '#timeline'
import { beforesOf, type Before } from './files-state.ts'
import { rootOfSession } from '../ground/index.ts'
import { reportFiles } from './report-files.ts'

/** What lists say of a turn, from what the agent recorded: a few numbers instead of its texts. */
export interface TurnOutline {
  readonly messages: number
  readonly steps: number
  readonly tokens: Tokens
  readonly files: readonly FileReport[]
  /** Commands whose effect nobody recorded. */
  readonly commands: readonly string[]
  readonly befores: readonly Before[]
  /** Paths that were written over as a whole, with a text recorded of what stood there. */
  readonly overwritten: readonly string[]
}

interface Remembered {
  readonly stamp: string
  readonly outline: TurnOutline
}

/**
 * By the turn's first row. A process that stays reads a turn's texts once: a list of branches, or a
 * page of turns, then costs what is new and not what the session holds.
 */
const remembered = new WeakMap<object, Remembered>()

export function outlineTurn(session: OpenSession, id: TurnId, reading?: TurnReading): TurnOutline {
  const { key, stamp } = session.versionOf(id)
  const known = remembered.get(key)
  if (known?.stamp === stamp) return known.outline
  const outline = makeOutline(session, reading ?? session.readTurn(id))
  remembered.set(key, { stamp, outline })
  return outline
}

/** Whether its texts would have to be read. */
export function isOutlined(session: OpenSession, id: TurnId): boolean {
  const { key, stamp } = session.versionOf(id)
  return remembered.get(key)?.stamp === stamp
}

function makeOutline(session: OpenSession, reading: TurnReading): TurnOutline {
  const { moments, messages, tokens, edits } = reading
  const steps = stepsOf(moments)
  return {
    messages,
    steps: countSteps(steps),
    tokens,
    files: reportFiles(edits, rootOfSession(session)),
    commands: unknownEffects(steps),
    befores: beforesOf(edits),
    overwritten: edits
      .filter(({ before, pieces }) => pieces.length === 0 && before.kind === 'text')
      .map(({ path }) => path),
  }
}

function countSteps(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + 1 + countSteps(step.agent?.steps ?? []), 0)
}
