import {
  diffTexts,
  holdsSecrets,
  type DiffHunk,
  type FileDiff,
  type Moment,
  type Recorded,
  type ShowReport,
  type Step,
} from '#timeline'
import { turnView, type TurnView } from './log-view.ts'

export interface StepView {
  id: string
  tool: string
  kind: Step['kind']
  about: string
  at: string | null
  outcome: Step['outcome']
  /** Its output, possibly truncated. */
  said?: string
  /** What it did to its file, if other steps of the turn changed the same file. */
  hunks?: DiffHunk[]
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
  /** Diffs of files that were edited by hand after the turn. */
  editedDiffs: HunksView[]
}

export interface HunksView {
  path: string
  /** Null if it is not text, one side is unknown, or it is hidden. */
  hunks: DiffHunk[] | null
  /** It may hold secrets, and they were not requested. */
  hidden?: true
}

export function showView({ session, turn, moments, diffs, editedDiffs }: ShowReport): ShowView {
  const several = editedTwice(moments)
  return {
    schema: 'retake.show/1',
    session: session.id,
    turn: turnView(turn),
    moments: moments.map((moment) => momentView(moment, several)),
    diffs: diffs.map(hunksOf),
    editedDiffs: editedDiffs.map(hunksOf),
  }
}

export function hunksOf({ path, diff, hidden }: FileDiff): HunksView {
  const hunks = diff.kind === 'text' ? [...diff.hunks] : diff.kind === 'same' ? [] : null
  return { path, hunks, ...(hidden === undefined ? {} : { hidden }) }
}

function momentView(moment: Moment, several: ReadonlySet<string>): MomentView {
  return moment.kind === 'step' ? { kind: 'step', step: stepView(moment.step, several) } : moment
}

/** Files that more than one step changed: there the turn's diff is not the step's. */
function editedTwice(moments: readonly Moment[]): ReadonlySet<string> {
  const steps = moments.flatMap((moment) => (moment.kind === 'step' ? [moment.step] : []))
  const all = [...steps, ...steps.flatMap(({ agent }) => agent?.steps ?? [])]
  const paths = all.flatMap(({ edits }) => edits.map(({ path }) => path))
  return new Set(paths.filter((path, at) => paths.indexOf(path) !== at))
}

/** The longest diff to show inline; longer ones are for an editor. */
const MAX_LINES = 600

function hunksOfStep({ edits }: Step, several: ReadonlySet<string>): { hunks?: DiffHunk[] } {
  const [edit] = edits
  if (edit === undefined || !several.has(edit.path) || holdsSecrets(edit.path)) return {}
  const [before, after] = [textOf(edit.before), textOf(edit.after)]
  if (before === null || after === null) return {}
  const hunks = diffTexts(before, after)
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  return lines > MAX_LINES ? {} : { hunks }
}

function textOf(recorded: Recorded): string | null {
  if (recorded.kind === 'absent') return ''
  return recorded.kind === 'text' ? recorded.text : null
}

export function stepView(step: Step, several: ReadonlySet<string> = new Set()): StepView {
  const { id, tool, kind, about, at, outcome, said, agent } = step
  const view = {
    id,
    tool,
    kind,
    about,
    at,
    outcome,
    ...(said === undefined ? {} : { said }),
    ...hunksOfStep(step, several),
  }
  if (agent === null) return view
  const { tokens: _, steps, ...named } = agent
  return { ...view, agent: { ...named, steps: steps.map((each) => stepView(each, several)) } }
}
