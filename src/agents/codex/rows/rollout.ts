import type { FileIdentity } from '#disk'
import type { Damage } from '../../open-session.ts'
import type { BranchRecord } from '../../session-file.ts'

/** The first row of a rollout, without the instructions. */
export interface RolloutMeta {
  readonly thread: string
  readonly at: string | null
  readonly cwd: string | null
  readonly version: string | null
  readonly gitBranch: string | null
  readonly forkedFrom: string | null
  /** The thread whose agent started this one. */
  readonly parent: string | null
  readonly isPaginated: boolean
  /** Set if the conversation begins with a part of another rollout. */
  readonly base: HistoryBase | null
  /** Set if Retake made the session, as a branch of another one. */
  readonly branch: (BranchRecord & { readonly title: string }) | null
}

export interface HistoryBase {
  /** The id of a rollout, which is the thread's id unless the thread was reverted. */
  readonly rollout: string
  readonly ordinal: number
  readonly offset: number
}

/** A turn as a rollout has it: a range of its bytes. */
export interface RolloutTurn {
  readonly id: string
  /** The index of the turn before it in this rollout; -1 if it is the first. */
  readonly parent: number
  readonly place: number
  readonly ordinal: number | null
  readonly prompt: string
  readonly at: string | null
  readonly isShell: boolean
  /** The id that the agent gave it, if it notes where the turn begins and ends. */
  readonly task: string | null
  readonly absorbed: { readonly text: string; readonly at: string | null }[]
  /** Where the row after its last one begins. */
  end: number
  endOrdinal: number | null
  interrupted: boolean
  /** Where the agent noted its end; null while it runs, and if it died. */
  over: number | null
  /** Where the model's first item in it is; null if it said nothing. */
  answered: { readonly place: number; readonly ordinal: number | null } | null
  /** Where the model's newest item in it is. */
  spoke: number
  started: string | null
  ended: string | null
  answers: number
  rows: number
  calls: number
  model: string | null
  cwd: string | null
}

/** What a reading of a rollout found. Later readings continue it. */
export interface Rollout {
  readonly path: string
  readonly identity: FileIdentity
  /** The end of the last complete line. */
  readonly end: number
  /** Checksums of the start of the file and of the bytes before `end`. */
  readonly sample: string
  readonly outline: Outline
  /** Bytes after the last newline that are no complete row. */
  readonly torn: Damage | null
}

export interface Outline {
  meta: RolloutMeta | null
  readonly turns: RolloutTurn[]
  readonly ids: Set<string>
  /** The index of the turn at which the rollout ends; -1: before its first one. */
  head: number
  readonly damage: Damage[]
  /** Places at which the history was replaced by a summary. */
  readonly boundaries: number[]
  /** The directories that the agent may write in, and when a row first lists each. */
  readonly roots: { readonly path: string; readonly at: string | null }[]
  latest: string | null
  /** The ordinal after the last row. */
  nextOrdinal: number | null
  /** The task that began and has no prompt yet. */
  task: { id: string; place: number; ordinal: number | null; at: string | null } | null
  /** The last row in which the model got a text from the user: a prompt begins there. */
  asked: { place: number; ordinal: number | null; text: string } | null
  model: string | null
  cwd: string | null
  /** Whether rows with prompts for display occur; otherwise what the model got is all there is. */
  hasEvents: boolean
}

export function emptyOutline(): Outline {
  return {
    meta: null,
    turns: [],
    ids: new Set(),
    head: -1,
    damage: [],
    boundaries: [],
    roots: [],
    latest: null,
    nextOrdinal: null,
    task: null,
    asked: null,
    model: null,
    cwd: null,
    hasEvents: false,
  }
}
