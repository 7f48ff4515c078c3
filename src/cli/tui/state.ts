import type {
  Approval,
  Choice,
  FileDiff,
  LogReport,
  PlanReport,
  Progress,
  ProjectPath,
  SessionReport,
} from '#timeline'
import type { Command } from '#protocol'
import { emptyLine, type EditedLine } from './edited-line.ts'
import type { Key } from './key.ts'

/** The whole state of the TUI; drawing depends on nothing else. */
export interface State {
  readonly sessions: readonly SessionReport[]
  /** The open session; null while the project has none. */
  readonly log: LogReport | null
  readonly focus: 'tree' | 'turns' | 'input'
  /** Key of the selected row in the left pane; null means the open session. */
  readonly treeRow: string | null
  /** Sessions whose branches and forked sessions are folded. */
  readonly folded: ReadonlySet<string>
  /** The branch whose turns are shown; null is the current line. */
  readonly branch: string | null
  /** A turn's id, or `current`. */
  readonly turnRow: string
  readonly filter: EditedLine
  readonly filtering: boolean
  readonly input: EditedLine
  /** The undone prompt that Retake put into the input line. */
  readonly offered: string | null
  readonly overlay: Overlay | null
  readonly live: Live | null
  /** A turn marked for a comparison. */
  readonly marked: string | null
  readonly message: Message | null
  /** Message while something slow runs. */
  readonly busy: string | null
  readonly applying: Applying | null
}

export interface Message {
  readonly text: string
  readonly tone: 'plain' | 'bad'
}

/** A plan being applied, and whether the user stopped it. */
export interface Applying {
  readonly progress: Progress | null
  readonly stopping: boolean
}

/** The overlay on the right pane, until it is answered or closed. */
export type Overlay =
  | PlanOverlay
  /** The agent is working in a terminal where Retake can stop it. */
  | { readonly kind: 'stop'; readonly command: Command; readonly agent: string }
  | { readonly kind: 'text'; readonly title: string; readonly text: string; readonly top: number }
  | {
      readonly kind: 'list'
      readonly what: 'branches' | 'operations'
      readonly rows: readonly { readonly id: string; readonly text: string }[]
      readonly selected: number
    }

export interface PlanOverlay {
  readonly kind: 'plan'
  readonly command: Command
  readonly plan: PlanReport
  readonly selected: number
  /** Open diffs, by the file's index in the plan. */
  readonly diffs: ReadonlyMap<number, FileDiff>
  readonly choices: ReadonlyMap<ProjectPath, Choice>
}

/** The running turn, or the last one that ran. */
export interface Live {
  readonly prompt: string
  readonly text: string
  readonly running: boolean
  readonly approval: Approval | null
  /** The user denied and is typing the reason. */
  readonly refusing: boolean
}

/** An effect that the reducer requests; only `perform` carries it out. */
export type Effect =
  | { readonly do: 'open'; readonly session: string }
  | {
      readonly do: 'plan'
      readonly command: Command
      readonly choices: ReadonlyMap<ProjectPath, Choice>
    }
  | { readonly do: 'diff-file'; readonly place: number }
  | { readonly do: 'apply' }
  /** Ends the turn that runs in the agent's terminal, then plans and applies. */
  | { readonly do: 'stop-and-apply'; readonly command: Command }
  | { readonly do: 'stop-applying' }
  | { readonly do: 'show'; readonly turn: string; readonly only: 'all' | 'files' }
  | { readonly do: 'compare'; readonly ends: readonly [string, string] }
  | { readonly do: 'list'; readonly what: 'branches' | 'operations' }
  | { readonly do: 'show-operation'; readonly operation: number }
  | { readonly do: 'converse'; readonly prompt: string }
  | {
      readonly do: 'answer'
      readonly approval: string
      readonly answer:
        | { readonly allow: true; readonly always?: boolean }
        | { readonly allow: false; readonly reason?: string }
    }
  | { readonly do: 'stop' }
  | { readonly do: 'quit' }

/** An event: a key, or a message from `perform` or the server. */
export type TuiEvent =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'pasted'; readonly text: string }
  | {
      readonly type: 'loaded'
      readonly sessions: readonly SessionReport[]
      readonly log: LogReport | null
    }
  | { readonly type: 'busy'; readonly what: string }
  | { readonly type: 'planned'; readonly command: Command; readonly plan: PlanReport }
  /** There is no plan, because the agent is working; Retake can stop it. */
  | { readonly type: 'at-work'; readonly command: Command; readonly agent: string }
  | { readonly type: 'diffed'; readonly place: number; readonly diff: FileDiff }
  | {
      readonly type: 'done'
      readonly text: string
      /** The undone prompt, offered for editing. */
      readonly prompt: string | null
    }
  /** Progress of the plan being applied. */
  | { readonly type: 'progressed'; readonly progress: Progress }
  /** The plan was not applied; a separate message says why. */
  | { readonly type: 'not-done' }
  | { readonly type: 'message'; readonly text: string; readonly tone: Message['tone'] }
  | { readonly type: 'shown'; readonly title: string; readonly text: string }
  | {
      readonly type: 'listed'
      readonly what: 'branches' | 'operations'
      readonly rows: readonly { readonly id: string; readonly text: string }[]
    }
  /** Another client sent a prompt, and its turn is running. */
  | { readonly type: 'joined'; readonly prompt: string }
  | { readonly type: 'streamed'; readonly text: string }
  | { readonly type: 'asked'; readonly approval: Approval }
  | { readonly type: 'answered' }
  | { readonly type: 'turn-ended' }

export interface Step {
  readonly state: State
  readonly effects: readonly Effect[]
}

export const CURRENT = 'current'

export const emptyLive: Live = {
  prompt: '',
  text: '',
  running: true,
  approval: null,
  refusing: false,
}

/** Opens on "(current)", where Enter does nothing. */
export const firstState: State = {
  sessions: [],
  log: null,
  focus: 'turns',
  treeRow: null,
  folded: new Set(),
  branch: null,
  turnRow: CURRENT,
  filter: emptyLine,
  filtering: false,
  input: emptyLine,
  offered: null,
  overlay: null,
  live: null,
  marked: null,
  message: null,
  busy: null,
  applying: null,
}

export const beginning: Applying = { progress: null, stopping: false }
