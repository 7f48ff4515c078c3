import type { DiffHunk, FileDiff, Moment, ShowReport, Step } from '#timeline'
import { turnView, type TurnView } from './log-view.ts'

export interface StepView {
  id: string
  tool: string
  about: string
  at: string | null
  outcome: Step['outcome']
  /** What it answered, or the beginning of it. */
  said?: string
  agent?: { id: string; type: string; description: string; background: boolean; steps: StepView[] }
}

export type MomentView =
  | { kind: 'said' | 'thought' | 'absorbed'; text: string; at: string | null }
  | { kind: 'step'; step: StepView }
  | { kind: 'interrupted'; at: string | null }
  | { kind: 'compacted'; at: string | null; trigger: string | null }
  | { kind: 'unreadable'; why: string }

export interface ShowView {
  schema: 'retake.show/1'
  session: string
  turn: TurnView
  moments: MomentView[]
  diffs: HunksView[]
  /** Of what was changed by hand after the turn. */
  editedDiffs: HunksView[]
}

export interface HunksView {
  path: string
  /** Null: not text, one side is not known, or it is hidden. */
  hunks: DiffHunk[] | null
  /** It may hold secrets, and nobody asked to see them. */
  hidden?: true
}

export function showView({ session, turn, moments, diffs, editedDiffs }: ShowReport): ShowView {
  return {
    schema: 'retake.show/1',
    session: session.id,
    turn: turnView(turn),
    moments: moments.map(momentView),
    diffs: diffs.map(hunksOf),
    editedDiffs: editedDiffs.map(hunksOf),
  }
}

export function hunksOf({ path, diff, hidden }: FileDiff): HunksView {
  const hunks = diff.kind === 'text' ? [...diff.hunks] : diff.kind === 'same' ? [] : null
  return { path, hunks, ...(hidden === undefined ? {} : { hidden }) }
}

function momentView(moment: Moment): MomentView {
  return moment.kind === 'step' ? { kind: 'step', step: stepView(moment.step) } : moment
}

export function stepView({ id, tool, about, at, outcome, said, agent }: Step): StepView {
  const view = { id, tool, about, at, outcome, ...(said === undefined ? {} : { said }) }
  if (agent === null) return view
  const { tokens: _, steps, ...named } = agent
  return { ...view, agent: { ...named, steps: steps.map((step) => stepView(step)) } }
}
