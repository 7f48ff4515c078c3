import { readsOnly } from './reads-only.ts'

/** One tool call inside a turn. */
export interface Step {
  /** The agent's id of the call. */
  readonly id: string
  /** As the agent calls the tool; for people, not to decide by. */
  readonly tool: string
  readonly kind: StepKind
  /** What it was about, on one line: a path, a command, a pattern. */
  readonly about: string
  readonly at: string | null
  /** When its result was written down; null while there is none. */
  readonly endedAt?: string | null
  readonly outcome: 'ok' | 'error' | 'denied' | 'interrupted' | 'unfinished'
  /** What it answered, or the beginning of it; nothing for what only reads or writes a file. */
  readonly said?: string
  /** What it did to files, as far as the agent recorded it. */
  readonly edits: readonly RecordedEdit[]
  /** Set when the step may have changed files that nobody recorded. */
  readonly unknownEffect: string | null
  readonly agent: Subagent | null
}

/** What a step is, whatever its agent calls the tool. */
export type StepKind = 'edit' | 'shell' | 'read' | 'search' | 'web' | 'plan' | 'agent' | 'other'

export interface Subagent {
  readonly id: string
  readonly type: string
  readonly description: string
  /** Its edits can come after the turn has ended. */
  readonly background: boolean
  readonly steps: readonly Step[]
  readonly tokens: Tokens
}

/** What the model read and wrote, as its provider counted it: each answer reads everything before it. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

export const noTokens: Tokens = { input: 0, output: 0 }

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output }
}

/** With those of the subagents that were started. */
export function tokensOf(own: Tokens, steps: readonly Step[]): Tokens {
  return steps.reduce(
    (sum, { agent }) =>
      agent === null ? sum : addTokens(sum, tokensOf(agent.tokens, agent.steps)),
    own,
  )
}

/** An edit as the agent wrote it down, before anybody looked at the file. */
export interface RecordedEdit {
  /** The id of the step that made it. */
  readonly step: string
  /** As the agent named it; absolute, and not yet trusted. */
  readonly path: string
  readonly before: Recorded
  readonly after: Recorded
  /** The replaced pieces, where the whole text was not recorded. */
  readonly pieces: readonly Piece[]
  readonly by: 'agent' | 'subagent'
  readonly at: string | null
}

export interface Piece {
  readonly old: string
  readonly new: string
  readonly all: boolean
}

/**
 * What the agent knew of a file. `bytes` is exact. `text` has lost the encoding and the line ends;
 * whoever writes it back must take them from the present file and say so.
 */
export type Recorded =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown'; readonly why: string }

/** What happened in a turn, in order, for people to read. */
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

/** All edits of a turn, those of its subagents included, in the order they were made. */
export function editsOf(steps: readonly Step[]): RecordedEdit[] {
  return steps.flatMap((step) => [...step.edits, ...editsOf(step.agent?.steps ?? [])])
}

/** The commands whose effect on files was not recorded, without those that only read. */
export function unknownEffects(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => [
    ...(step.unknownEffect === null || readsOnly(step.unknownEffect) ? [] : [step.unknownEffect]),
    ...unknownEffects(step.agent?.steps ?? []),
  ])
}
