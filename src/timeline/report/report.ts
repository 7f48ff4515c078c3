import type { Moment, Step, Turn, TurnId, TurnName, TurnState } from '../data/index.ts'
import type { ValueDiff } from '../text/index.ts'

/** A session in a list. */
export interface SessionReport {
  readonly id: string
  /** The name of the agent it was held with. */
  readonly agent: string
  readonly title: string
  /** The working directory; null when no row of the session names one. */
  readonly project: string | null
  /** Null while the session has not been counted yet. */
  readonly turns: number | null
  readonly branches: number | null
  readonly head: TurnId | null
  readonly updatedAt: string
  readonly live: 'idle' | 'busy' | null
  /** The session it was forked from, and the last turn they share. */
  readonly parent: { readonly session: string; readonly turn: TurnId | null } | null
  /** Of a branch session that Retake made. */
  readonly lineage: Lineage | null
  /** Put away by somebody, and nobody has worked in it since. */
  readonly archived: boolean
  readonly deleted: boolean
  /** Its project's directory is not there: nothing of it can be moved, and nothing said of it. */
  readonly gone: boolean
}

/** Where a branch session comes from, and what it is by now. */
export interface Lineage {
  readonly parentSessionId: string
  /** The number of the last turn that it shares with its parent. */
  readonly rewindFromTurn: number
  readonly rewoundAt: string
  readonly created: string
  readonly modified: string
  /** Null while the session has not been counted yet. */
  readonly messageCount: number | null
  readonly firstPrompt: string
}

/** What a turn's commands did to git. Retake never takes it back; `undo` is what would. */
export interface GitReport {
  readonly kind: 'checkout' | 'commit' | 'reset' | 'stash' | 'other'
  /** `git checkout main → feature`. */
  readonly did: string
  /** How many files it changed. */
  readonly files: number
  readonly undo: string
  /** The branch that was checked out. */
  readonly to?: string
}

/**
 * How much of a turn's effect on files is known. `start-directory`: what commands did below the
 * directory that is recorded, which is not the whole repository.
 */
export type Coverage = 'whole-tree' | 'start-directory' | 'recorded-edits'

/** One turn as the log shows it. */
export interface TurnReport {
  readonly turn: Turn
  /** Along the current line; null for turns of other branches. */
  readonly number: number | null
  readonly state: TurnState
  readonly branch: string
  readonly messages: number
  readonly steps: number
  readonly files: readonly FileReport[]
  readonly filesState: 'in' | 'out' | 'partly' | 'reverted'
  readonly coverage: Coverage
  /** What ran whose effect on files nobody recorded. */
  readonly commands: readonly string[]
  readonly git: readonly GitReport[]
  /** How many turns went on from it, on all branches that are not deleted. */
  readonly children: number
  /** The names that people gave it. */
  readonly checkpoints: readonly string[]
  /** Files that somebody changed by hand after it, before the next turn. */
  readonly editedAfter: readonly EditedFile[]
}

export type EditedFile = Pick<FileReport, 'path' | 'from' | 'change'>

export interface FileReport {
  /** Relative to the project where it lies inside, else absolute. */
  readonly path: string
  /** Where it was before, when it was renamed. */
  readonly from?: string
  readonly change: 'created' | 'modified' | 'deleted' | 'renamed' | 'mode'
  readonly added: number
  readonly removed: number
  readonly by:
    | 'agent'
    | 'shell'
    | 'subagent'
    | 'user'
    | 'other-session'
    | 'git'
    | 'operation'
    | 'shared'
    | 'unsure'
  /** What is not known of it, for people. */
  readonly notes: readonly FileNote[]
}

export type FileNote =
  | 'line-endings-not-recorded'
  | 'old-text-not-recorded'
  | 'outside-project'
  | 'left-alone' // undo does not touch it

export interface LogReport {
  readonly session: SessionReport
  readonly head: TurnId | null
  readonly turns: readonly TurnReport[]
  readonly branches: readonly BranchReport[]
  /** Bytes of the transcript that could not be read. */
  readonly damage: readonly DamageReport[]
}

/** A branch as people see it. Deleted ones are not reported. */
export interface BranchReport {
  readonly id: string
  /** What it is called: its name, `main` for the trunk, else the beginning of its id. */
  readonly label: string
  /** The name that somebody gave it. */
  readonly name: string | null
  readonly fork: TurnId | null
  /** Its own turns, without those it shares. */
  readonly turns: readonly TurnId[]
  readonly tip: TurnId
  readonly current: boolean
  readonly archived: boolean
  readonly canonical: boolean
  /** When its last turn was sent. */
  readonly at: string | null
}

/** The branches of a session and what stands on them, without what turns did. */
export interface TreeReport extends Pick<LogReport, 'session' | 'head' | 'branches'> {
  readonly turns: readonly Pick<
    TurnReport,
    'turn' | 'number' | 'state' | 'children' | 'checkpoints'
  >[]
}

/** The tip of a branch: with its first own prompt, and how many turns lead there. */
export interface LeafReport extends BranchReport {
  readonly prompt: string
  readonly length: number
}

export interface DamageReport {
  readonly offset: number
  readonly length: number
  readonly why: string
}

/** A prompt, or one answer of the model. */
export interface MessageReport {
  /** The turn's id for a prompt, else the agent's id of the answer's first row. */
  readonly id: string
  readonly turn: { readonly id: TurnId; readonly number: number | null }
  readonly role: 'user' | 'assistant'
  readonly at: string | null
  readonly text: string
  readonly thinking: string
  readonly steps: readonly Step[]
}

/** One turn whole: what was said and done, and each file's change. */
export interface ShowReport {
  readonly session: SessionReport
  readonly turn: TurnReport
  /** The name of the branch that the turn is on. */
  readonly branchLabel: string
  readonly moments: readonly Moment[]
  readonly diffs: readonly FileDiff[]
  /** Of what was changed by hand after it. */
  readonly editedDiffs: readonly FileDiff[]
}

/** What was said aloud, or answered to it. */
export interface VoiceLine {
  /** Its place in the log, from 1. */
  readonly number: number
  readonly at: string
  /** `retake` tells what was done on a spoken word. */
  readonly by: 'you' | 'voice' | 'retake'
  readonly text: string
}

export interface VoiceLogReport {
  readonly session: SessionReport
  readonly lines: readonly VoiceLine[]
}

export interface BranchName {
  readonly id: string
  readonly label: string
}

export interface FileDiff {
  readonly path: string
  readonly diff: ValueDiff
  /** It may hold secrets, which are shown only on request (S14). */
  readonly hidden?: true
}

/** A transcript that is not as Retake has seen it, and of which Retake has the bytes. */
export interface LossReport {
  readonly session: string
  readonly title: string
  readonly project: string | null
  readonly path: string
  readonly how: 'shrunk' | 'rewritten' | 'gone'
  readonly kept: number
  readonly left: number
}

/** What Retake keeps, in bytes. */
export interface KeptReport {
  readonly project: number
  readonly all: number
  readonly transcripts: number
  readonly quota: number
  readonly level: 'fine' | 'warning' | 'full'
}

export type HookPlace = 'user' | 'project' | 'local' | 'plugin'

/** Where a session stands. */
export interface StatusReport {
  readonly session: SessionReport
  readonly head: { readonly id: TurnId; readonly number: number; readonly prompt: string } | null
  /** Turns of the current line, the undone ones included. */
  readonly turns: number
  readonly undone: number
  /** The turn behind the head whose prompt the agent still has, without its answer. */
  readonly bare: { readonly id: TurnId; readonly number: number | null } | null
  readonly branches: number
  /** The branch the session is on; null without turns. */
  readonly branch: BranchName | null
  /** Whose settings have the hooks that make a turn's whole effect known. */
  readonly hooks: 'user' | 'project' | 'both' | 'none'
  /** Every place that brings them. */
  readonly hookSources: readonly HookPlace[]
  /** Why the files of this project are never looked at, hooks or not; null when they are. */
  readonly notLookedAt: string | null
  /** The top of a git repository that is not recorded up to there; else null. */
  readonly unwatchedTop: string | null
  /** Directories outside of the project that the agent may use: commands there are not watched. */
  readonly unwatchedDirectories: readonly string[]
  /** Of the head. */
  readonly coverage: TurnReport['coverage']
  /** Of all turns up to the head, by their numbers. */
  readonly coverageOfTurns: readonly {
    readonly from: number
    readonly to: number
    readonly coverage: TurnReport['coverage']
  }[]
  /** Where the conversation goes when the agent that has it open leaves it; null empties it. */
  readonly pending: { readonly to: TurnName | null; readonly operation: number } | null
  /** It is open under `retake claude`: an undo reopens it at the earlier turn. */
  readonly supervised: boolean
  /** Turns of the line whose files are not where the conversation is. */
  readonly differing: readonly {
    readonly id: TurnId
    readonly number: number | null
    readonly files: 'in' | 'out' | 'partly' | 'reverted'
  }[]
  /** What is in the project and no look can see: how many, and the first of them. */
  readonly notCaptured: {
    readonly count: number
    readonly files: readonly { readonly path: string; readonly why: string }[]
  }
  /** Nobody could read what hooks tell for so long that they stopped. */
  readonly eventsLost: boolean
  readonly losses: readonly LossReport[]
  readonly kept: KeptReport
  readonly damage: readonly DamageReport[]
  /** The model that answered the head's prompt last. */
  readonly model: string | null
}
