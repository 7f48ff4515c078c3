import type {
  DamageReport,
  EditedFile,
  FileReport,
  GitReport,
  LogReport,
  TurnReport,
} from '#timeline'

export interface TurnView {
  number: number | null
  id: string
  parent: string | null
  kind: 'prompt' | 'command' | 'shell' | 'orphan'
  prompt: string
  at: string | null
  state: 'active' | 'undone' | 'other'
  branch: string
  messages: number
  steps: number
  files: FileReport[]
  filesState: TurnReport['filesState']
  coverage: TurnReport['coverage']
  commands: string[]
  git: { kind: GitReport['kind']; did: string; files: number; undo: string }[]
  absorbed: string[]
  interrupted: boolean
  summarized: boolean
  /** The turn whose prompt the agent had before this one, kept without its answer. */
  kept?: string
  /** The number of turns that continue from it; more than one is a fork. */
  children: number
  /** Its newest checkpoint, and all of them. */
  checkpoint?: string
  checkpoints: string[]
  /** Files that were edited by hand after it, before the next turn. */
  editedAfter: EditedFile[]
}

export interface LogView {
  schema: 'retake.log/1'
  session: string
  head: { id: string; number: number | null } | null
  turns: TurnView[]
  damage: DamageReport[]
}

export function logView({ session, head, turns, damage }: LogReport): LogView {
  const at = turns.find(({ turn }) => turn.id === head)
  return {
    schema: 'retake.log/1',
    session: session.id,
    head: at === undefined ? null : { id: at.turn.id, number: at.number },
    turns: turns.map(turnView),
    damage: [...damage],
  }
}

export function turnView(report: TurnReport): TurnView {
  const { turn } = report
  return {
    number: report.number,
    id: turn.id,
    parent: turn.parent,
    kind: turn.kind,
    prompt: turn.prompt,
    at: turn.at,
    state: report.state,
    branch: report.branch,
    messages: report.messages,
    steps: report.steps,
    files: [...report.files],
    filesState: report.filesState,
    coverage: report.coverage,
    commands: [...report.commands],
    git: report.git.map(({ kind, did, files, undo }) => ({ kind, did, files, undo })),
    absorbed: turn.absorbed.map(({ text }) => text),
    interrupted: turn.interrupted,
    summarized: turn.summarized,
    ...(turn.kept ? { kept: turn.kept } : {}),
    children: report.children,
    ...(report.checkpoints.length === 0 ? {} : { checkpoint: report.checkpoints.at(-1)! }),
    checkpoints: [...report.checkpoints],
    editedAfter: [...report.editedAfter],
  }
}
