import type { Moment, Step, Turn, TurnId, TurnName, TurnState } from '../data/index.ts'
import type { ValueDiff } from '../text/index.ts'

/** A session in a list. */
export interface SessionReport {
  readonly id: string
  /** The name of its agent. */
  readonly agent: string
  readonly title: string
  /** The working directory. Null if no row of the session names one. */
  readonly project: string | null
  /** Null while the session has not been counted yet. */
  readonly turns: number | null
  readonly branches: number | null
  readonly head: TurnId | null
  readonly updatedAt: string
  readonly live: 'idle' | 'busy' | null
  /** The session from which it was forked, and the last turn they share. */
  readonly parent: { readonly session: string; readonly turn: TurnId | null } | null
  /** Set for a branch session that Retake made. */
  readonly lineage: Lineage | null
  /** The user archived it, and it has no newer activity. */
  readonly archived: boolean
  readonly deleted: boolean
  /** Its project directory does not exist, so nothing of it can be moved or marked. */
  readonly gone: boolean
}

/** The origin of a branch session, and its present state. */
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

/**
 * What a turn's commands did to git. Retake never undoes it; `undo` is the command that would, empty
 * for a stash that no longer exists.
 */
export interface GitReport {
  readonly kind: 'checkout' | 'commit' | 'reset' | 'stash' | 'other'
  /** `git checkout main → feature`. */
  readonly did: string
  /** The number of files it changed. */
  readonly files: number
  readonly undo: string
  /** The branch that was checked out. */
  readonly to?: string
}

/**
 * How much Retake knows about a turn's changes. `start-directory`: commands are covered only below
 * the recorded directory, which is not the whole repository.
 */
export type Coverage = 'whole-tree' | 'start-directory' | 'recorded-edits'

/** One turn in the log. */
export interface TurnReport {
  readonly turn: Turn
  /** The number on the current line. Null for turns of other branches. */
  readonly number: number | null
  readonly state: TurnState
  readonly branch: string
  readonly messages: number
  readonly steps: number
  readonly files: readonly FileReport[]
  readonly filesState: 'in' | 'out' | 'partly' | 'reverted'
  readonly coverage: Coverage
  /** Commands whose effect on files was not recorded. */
  readonly commands: readonly string[]
  readonly git: readonly GitReport[]
  /** The number of turns that continue from it, on all branches that are not deleted. */
  readonly children: number
  /** The names that the user gave it. */
  readonly checkpoints: readonly string[]
  /** Files that the user changed after it, before the next turn. */
  readonly editedAfter: readonly EditedFile[]
}

export type EditedFile = Pick<FileReport, 'path' | 'from' | 'change'>

export interface FileReport {
  /** Relative to the project if inside, else absolute. */
  readonly path: string
  /** The old path, if it was renamed. */
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
  /** What is unknown about it, for display. */
  readonly notes: readonly FileNote[]
}

export type FileNote =
  | 'line-endings-not-recorded'
  | 'old-text-not-recorded'
  | 'outside-project'
  | 'left-alone' // undo does not change it

export interface LogReport {
  readonly session: SessionReport
  readonly head: TurnId | null
  readonly turns: readonly TurnReport[]
  readonly branches: readonly BranchReport[]
  /** Bytes of the transcript that could not be read. */
  readonly damage: readonly DamageReport[]
}

/** A branch for display. Deleted branches are not reported. */
export interface BranchReport {
  readonly id: string
  /** Its name, `main` for the trunk, else the beginning of its id. */
  readonly label: string
  /** The name that the user gave it. */
  readonly name: string | null
  readonly fork: TurnId | null
  /** Its own turns, without the shared ones. */
  readonly turns: readonly TurnId[]
  readonly tip: TurnId
  readonly current: boolean
  readonly archived: boolean
  readonly canonical: boolean
  /** When its last turn was sent. */
  readonly at: string | null
}

/** The branches and turns of a session, without the turns' changes. */
export interface TreeReport extends Pick<LogReport, 'session' | 'head' | 'branches'> {
  readonly turns: readonly Pick<
    TurnReport,
    'turn' | 'number' | 'state' | 'children' | 'checkpoints'
  >[]
}

/** The tip of a branch, with its first own prompt and the number of turns up to it. */
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

/** One turn in full: what was said and done, and each file's change. */
export interface ShowReport {
  readonly session: SessionReport
  readonly turn: TurnReport
  /** The name of the branch that the turn is on. */
  readonly branchLabel: string
  readonly moments: readonly Moment[]
  readonly diffs: readonly FileDiff[]
  /** The diffs of what the user changed after it. */
  readonly editedDiffs: readonly FileDiff[]
}

/** Something said aloud, or an answer to it. */
export interface VoiceLine {
  /** Its number in the log, from 1. */
  readonly number: number
  readonly at: string
  /** `retake` reports what a spoken command did. */
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

/** A transcript that lost bytes that Retake has seen and kept. */
export interface LossReport {
  readonly session: string
  readonly title: string
  readonly project: string | null
  readonly path: string
  readonly how: 'shrunk' | 'rewritten' | 'gone'
  readonly kept: number
  readonly left: number
}

/** The size of what Retake stores, in bytes. */
export interface KeptReport {
  readonly project: number
  readonly all: number
  readonly transcripts: number
  readonly quota: number
  readonly level: 'fine' | 'warning' | 'full'
}

export type HookPlace = 'user' | 'project' | 'local' | 'plugin'

/** The state of a session. */
export interface StatusReport {
  readonly session: SessionReport
  readonly head: { readonly id: TurnId; readonly number: number; readonly prompt: string } | null
  /** Turns of the current line, including undone ones. */
  readonly turns: number
  readonly undone: number
  /** The turn after the head whose prompt the agent still has, without its answer. */
  readonly bare: { readonly id: TurnId; readonly number: number | null } | null
  readonly branches: number
  /** The branch that the session is on. Null without turns. */
  readonly branch: BranchName | null
  /** Whose settings contain the hooks that make a turn's whole effect known. */
  readonly hooks: 'user' | 'project' | 'both' | 'none'
  /** Every place that installs them. */
  readonly hookSources: readonly HookPlace[]
  /** Why the files of this project are never scanned, even with hooks. Null if they are. */
  readonly notLookedAt: string | null
  /** The top of the git repository, if Retake does not record all of it. Else null. */
  readonly unwatchedTop: string | null
  /**
   * Directories outside of the project that the agent may use and in which commands are not
   * watched.
   */
  readonly unwatchedDirectories: readonly string[]
  /** The coverage of the head. */
  readonly coverage: TurnReport['coverage']
  /** The coverage of all turns up to the head, by their numbers. */
  readonly coverageOfTurns: readonly {
    readonly from: number
    readonly to: number
    readonly coverage: TurnReport['coverage']
  }[]
  /** Where the conversation moves when the agent leaves the session. `to: null` empties it. */
  readonly pending: { readonly to: TurnName | null; readonly operation: number } | null
  /** It is open under `retake claude`: an undo reopens it at the earlier turn. */
  readonly supervised: boolean
  /** Turns of the line whose files do not match the conversation. */
  readonly differing: readonly {
    readonly id: TurnId
    readonly number: number | null
    readonly files: 'in' | 'out' | 'partly' | 'reverted'
  }[]
  /** Files in the project that scans cannot capture: their number, and the first of them. */
  readonly notCaptured: {
    readonly count: number
    readonly files: readonly { readonly path: string; readonly why: string }[]
  }
  /** Hook events were not read for so long that the hooks stopped writing them. */
  readonly eventsLost: boolean
  readonly losses: readonly LossReport[]
  readonly kept: KeptReport
  readonly damage: readonly DamageReport[]
  /** The model that last answered the head's prompt. */
  readonly model: string | null
}
