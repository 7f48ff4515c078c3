import { readsOnly } from './reads-only.ts'

/** One tool call inside a turn. */
export interface Step {
  /** The agent's id of the call. */
  readonly id: string
  /** The agent's name of the tool. For display only. */
  readonly tool: string
  readonly kind: StepKind
  /** Its subject on one line: a path, a command, a pattern. */
  readonly about: string
  readonly at: string | null
  /** When it began to run, if the agent says so: it may have waited for permission before. */
  readonly startedAt?: string
  /** When its result was recorded. Null while there is none. */
  readonly endedAt?: string | null
  /** The command ran on after its result. `until` is null while nothing shows its end. */
  readonly ranOn?: { readonly until: string | null }
  readonly outcome: 'ok' | 'error' | 'denied' | 'interrupted' | 'unfinished'
  /** Its output, or the beginning of it. Missing for steps that only read or write a file. */
  readonly said?: string
  /** Its changes to files, as far as the agent recorded them. */
  readonly edits: readonly RecordedEdit[]
  /** Set if the step may have made unrecorded changes to files. */
  readonly unknownEffect: string | null
  readonly agent: Subagent | null
}

/** The kind of a step, independent of the agent's tool names. */
export type StepKind = 'edit' | 'shell' | 'read' | 'search' | 'web' | 'plan' | 'agent' | 'other'

export interface Subagent {
  readonly id: string
  readonly type: string
  readonly description: string
  /** Its edits may happen after the turn has ended. */
  readonly background: boolean
  readonly steps: readonly Step[]
  readonly tokens: Tokens
}

/** Tokens as counted by the provider. Each answer reads everything before it again. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

export const noTokens: Tokens = { input: 0, output: 0 }

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output }
}

/** Includes the subagents that the steps started. */
export function tokensOf(own: Tokens, steps: readonly Step[]): Tokens {
  return steps.reduce(
    (sum, { agent }) =>
      agent === null ? sum : addTokens(sum, tokensOf(agent.tokens, agent.steps)),
    own,
  )
}

/** An edit as the agent recorded it, not yet compared with the file. */
export interface RecordedEdit {
  /** The id of the step that made it. */
  readonly step: string
  /** The agent's path: absolute, and not yet trusted. */
  readonly path: string
  readonly before: Recorded
  readonly after: Recorded
  /** The replaced pieces, if the whole text was not recorded. */
  readonly pieces: readonly Piece[]
  readonly by: 'agent' | 'subagent'
  readonly at: string | null
  /** The file's path before the edit, if the edit also renamed it. */
  readonly movedFrom?: string
  /** The agent does not say whether the file that it wrote replaced another one. */
  readonly mayReplace?: boolean
}

export interface Piece {
  readonly old: string
  readonly new: string
  readonly all: boolean
  /** The numbers of its first line in the old and in the new text, if recorded. */
  readonly lines?: { readonly before: number; readonly after: number }
}

/**
 * What the agent recorded of a file. `bytes` is exact. `text` lacks the encoding and line ends:
 * code that writes it back must take them from the present file and report that.
 */
export type Recorded =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown'; readonly why: string }

/** What happened in a turn, in order, for display. */
export type Moment =
  | { readonly kind: 'said'; readonly text: string; readonly at: string | null }
  | { readonly kind: 'thought'; readonly text: string; readonly at: string | null }
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'absorbed'; readonly text: string; readonly at: string | null }
  | { readonly kind: 'interrupted'; readonly at: string | null }
  | { readonly kind: 'compacted'; readonly at: string | null; readonly trigger: string | null }
  | { readonly kind: 'unreadable'; readonly why: string }

export function stepsOf(moments: readonly Moment[]): Step[] {
  return moments.flatMap((moment) => (moment.kind === 'step' ? [moment.step] : []))
}

/** All edits of a turn in order, including its subagents'. */
export function editsOf(steps: readonly Step[]): RecordedEdit[] {
  return steps.flatMap((step) => [...step.edits, ...editsOf(step.agent?.steps ?? [])])
}

/** The commands whose effect on files was not recorded, except those that only read. */
export function unknownEffects(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => [
    ...(step.unknownEffect === null || readsOnly(step.unknownEffect) ? [] : [step.unknownEffect]),
    ...unknownEffects(step.agent?.steps ?? []),
  ])
}
