import { ledgerSeq } from '#store'
import { planFacts, type BranchName, type FactChange, type MarkVerb, type TurnId } from '#timeline'
import type {
  ResolvedCommand,
  CommandOptions,
  ConversationPlan,
  ReadSession,
} from '../session/index.ts'
import type { Machine } from '../ground/index.ts'
import { projectContents, type Project } from '../project/index.ts'
import { newRequest, turnName, type PlannedOperation } from './planned.ts'

/** Facts to record about sessions, branches and turns, and what the plan's report needs. */
export interface SaidFacts {
  readonly id: string
  readonly verb: MarkVerb
  readonly asked: ResolvedCommand
  readonly how: CommandOptions
  readonly facts: readonly FactChange[]
  readonly branches: readonly BranchName[]
  readonly name: string | null
  /** The turn that the facts are about, if it is not the head. */
  readonly turn?: TurnId | null
  /** Turns that will be hidden. */
  readonly turns?: readonly TurnId[]
  readonly conversation?: ConversationPlan
}

/** A plan that only records facts: neither files nor turns move. */
export function plannedFacts(
  machine: Machine,
  project: Project,
  session: ReadSession,
  said: SaidFacts,
): PlannedOperation {
  const { store } = project
  const { tree, report } = session
  const { id, verb, asked, how, facts, branches, name, turns = [] } = said
  const place = { turn: tree.head, beforeFirst: false, tip: tree.line.at(-1) ?? null }
  const about = turnName(session, said.turn ?? tree.head)
  return {
    kind: 'planned',
    request: newRequest(machine, project),
    asked,
    how,
    session,
    plan: { ...planFacts(verb, facts, { place, seq: ledgerSeq(store) }), turns },
    back: false,
    conversation: said.conversation ?? { kind: 'none' },
    contents: projectContents(store),
    world: id,
    report: {
      id,
      verb,
      session: report.id,
      from: about,
      to: about,
      branches,
      name,
      target: null,
      turns: turns.length,
      messages: 0,
      conversation: 'none',
      files: [],
      left: [],
      notCovered: [],
      warnings: [],
    },
  }
}
