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
import { presentPaths, reportFiles, type EditPaths } from './report-files.ts'

/** A turn as lists show it: a few numbers from the agent's records instead of the texts. */
export interface TurnOutline {
  readonly messages: number
  readonly steps: number
  readonly tokens: Tokens
  readonly files: readonly FileReport[]
  /** The paths that `files` has for the edits. */
  readonly editPaths: EditPaths
  /** Commands whose effect on files the agent did not record. */
  readonly commands: readonly string[]
  readonly befores: readonly Before[]
  /** Paths that were overwritten as a whole, and whose old text is recorded. */
  readonly overwritten: readonly string[]
}

interface Remembered {
  readonly stamp: string
  readonly outline: TurnOutline
}

/**
 * Cache, keyed by the turn's first row. A long-running process reads a turn's texts once; after
 * that a list of branches or a page of turns costs only what is new.
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

/** Whether the outline is cached, so that the turn's texts need not be read. */
export function isOutlined(session: OpenSession, id: TurnId): boolean {
  const { key, stamp } = session.versionOf(id)
  return remembered.get(key)?.stamp === stamp
}

/** Whether the cache knows that a turn has no steps. */
export function isKnownEmpty(session: OpenSession, id: TurnId): boolean {
  const { key, stamp } = session.versionOf(id)
  const known = remembered.get(key)
  return known?.stamp === stamp && known.outline.steps === 0
}

function makeOutline(session: OpenSession, reading: TurnReading): TurnOutline {
  const { moments, messages, tokens, edits } = reading
  const steps = stepsOf(moments)
  return {
    messages,
    steps: countSteps(steps),
    tokens,
    files: reportFiles(edits, rootOfSession(session)),
    editPaths: presentPaths(edits, rootOfSession(session)),
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
