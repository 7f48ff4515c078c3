import type { ClaudeSession } from '../agent/claude-parts.ts'
import {
  buildTree,
  numberOf,
  stateOf,
  stepsOf,
  type RecordedEdit,
  type Step,
} from '../../src/timeline/index.ts'

/** One line per turn: number, parent, state, kind, prompt, flags, files. */
export function describeTurns(session: ClaudeSession): string[] {
  const { conversation, file, summary } = session
  const all = conversation.turns.map(({ turn }) => turn)
  const tree = buildTree(file.id, all, conversation.head)
  return all.map((turn) => {
    const number = numberOf(tree, turn.id) ?? '-'
    const parent = turn.parent === null ? '-' : (numberOf(tree, turn.parent) ?? '?')
    const special = [
      ...(turn.summarized ? ['summarized'] : []),
      ...(turn.interrupted ? ['interrupted'] : []),
      ...turn.absorbed.map(({ text }) => `absorbed ${JSON.stringify(text)}`),
    ]
    const files = session.readTurn(turn.id).edits.map((edit) => describeEdit(edit, summary.project))
    const words = [stateOf(tree, turn.id), turn.kind, JSON.stringify(turn.prompt), ...special]
    const line = `${number}<${parent} ${words.join(' ')}`
    return files.length === 0 ? line : `${line}; ${files.join(', ')}`
  })
}

/** The steps of all turns: tool, outcome, and possible unseen effects. */
export function describeSteps(session: ClaudeSession): string[] {
  return session.conversation.turns.flatMap(({ turn }) =>
    stepsOf(session.readTurn(turn.id).moments).map(describeStep),
  )
}

function describeStep({ tool, outcome, unknownEffect, agent }: Step): string {
  const effect = unknownEffect === null ? '' : ` (${unknownEffect})`
  if (agent === null) return `${tool} ${outcome}${effect}`
  const kind = agent.background ? 'background' : 'foreground'
  const steps = agent.steps.map(describeStep).join(', ')
  return `${tool} ${outcome}${effect} by ${kind} ${agent.type}: ${steps}`
}

function describeEdit({ path, before, by }: RecordedEdit, project: string | null): string {
  const name = path.startsWith(`${project}/`) ? path.slice(project!.length + 1) : path
  return `${name} ${before.kind === 'absent' ? 'created' : 'edited'} by ${by}`
}
