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

/** Everything the screen shows. What is drawn follows from it alone. */
export interface State {
  readonly sessions: readonly SessionReport[]
  /** The open session; null while the project has none. */
  readonly log: LogReport | null
  readonly focus: 'tree' | 'turns' | 'input'
  /** The row of the tree that is selected, by its key; null stands for the open session. */
  readonly treeRow: string | null
  /** Sessions whose branches and branch sessions are not shown. */
  readonly folded: ReadonlySet<string>
  /** The branch whose turns are shown; null is the current line. */
  readonly branch: string | null
  /** A turn's id, or `current`. */
  readonly turnRow: string
  readonly filter: EditedLine
  readonly filtering: boolean
  readonly input: EditedLine
  /** The undone prompt that was put into the line. */
  readonly offered: string | null
  readonly over: Over | null
  readonly live: Live | null
  /** A turn marked to be compared with another. */
  readonly marked: string | null
  readonly said: Said | null
  /** What is being done, when it takes a while. */
  readonly busy: string | null
  readonly applying: Applying | null
}

export interface Said {
  readonly text: string
  readonly tone: 'plain' | 'bad'
}

/** A plan that is being carried out, and whether it is to be stopped. */
export interface Applying {
  readonly progress: Progress | null
  readonly stopping: boolean
}

/** What stands over the turns until it is answered or closed. */
export type Over =
  | PlanOver
  | { readonly kind: 'text'; readonly title: string; readonly text: string; readonly top: number }
  | {
      readonly kind: 'list'
      readonly what: 'branches' | 'operations'
      readonly rows: readonly { readonly id: string; readonly text: string }[]
      readonly selected: number
    }

export interface PlanOver {
  readonly kind: 'plan'
  readonly command: Command
  readonly plan: PlanReport
  readonly selected: number
  /** Files whose lines are shown, by their place in the plan. */
  readonly diffs: ReadonlyMap<number, FileDiff>
  readonly choices: ReadonlyMap<ProjectPath, Choice>
}

/** A turn that runs, or the last one that ran. */
export interface Live {
  readonly prompt: string
  readonly text: string
  readonly running: boolean
  readonly approval: Approval | null
  /** The answer is no, and its reason is being typed. */
  readonly refusing: boolean
}

/** What the reducer wants done; only `perform` does anything. */
export type Effect =
  | { readonly do: 'open'; readonly session: string }
  | {
      readonly do: 'plan'
      readonly command: Command
      readonly choices: ReadonlyMap<ProjectPath, Choice>
    }
  | { readonly do: 'diff-file'; readonly place: number }
  | { readonly do: 'apply' }
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

/** What happened: a key, or what `perform` and the world tell. */
export type Happening =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'pasted'; readonly text: string }
  | {
      readonly type: 'loaded'
      readonly sessions: readonly SessionReport[]
      readonly log: LogReport | null
    }
  | { readonly type: 'busy'; readonly what: string }
  | { readonly type: 'planned'; readonly command: Command; readonly plan: PlanReport }
  | { readonly type: 'diffed'; readonly place: number; readonly diff: FileDiff }
  | {
      readonly type: 'done'
      readonly text: string
      /** The undone prompt, to be said better. */
      readonly prompt: string | null
    }
  /** How far the plan is that is being carried out. */
  | { readonly type: 'progressed'; readonly progress: Progress }
  /** It was not carried out; why is said. */
  | { readonly type: 'not-done' }
  | { readonly type: 'said'; readonly text: string; readonly tone: Said['tone'] }
  | { readonly type: 'shown'; readonly title: string; readonly text: string }
  | {
      readonly type: 'listed'
      readonly what: 'branches' | 'operations'
      readonly rows: readonly { readonly id: string; readonly text: string }[]
    }
  /** Somebody else said something to the agent, and it runs. */
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

/** It opens on "(current)", where Enter does nothing. */
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
  over: null,
  live: null,
  marked: null,
  said: null,
  busy: null,
  applying: null,
}

/** Before it is known how far it is. */
export const beginning: Applying = { progress: null, stopping: false }
