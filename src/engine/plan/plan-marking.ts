import { command, Failure, remedy } from '#failure'
import {
  markOf,
  turnsOnlyOf,
  type Branch,
  type BranchMark,
  type FactChange,
  type MarkVerb,
  type Tree,
  type TurnId,
} from '#timeline'
import {
  branchFact,
  checkFree,
  checkpointFact,
  findBranch,
  freeName,
  labelOf,
  shownBranches,
  type ResolvedCommand,
  type CommandOptions,
  type Marking,
  type ReadSession,
} from '../session/index.ts'
import { refuseLive } from './conversation.ts'
import { type Machine, fingerprint } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import type { Planned } from './planned.ts'
import { plannedFacts } from './planned-facts.ts'

const VERBS: ReadonlySet<string> = new Set<MarkVerb>([
  'branch-rename',
  'branch-delete',
  'branch-archive',
  'branch-unarchive',
  'branch-canonical',
  'checkpoint',
  'checkpoint-delete',
])

export function isMarking(asked: ResolvedCommand): asked is Marking {
  return VERBS.has(asked.verb)
}

/** Plans names, marks and checkpoints. Nothing moves, so only a delete needs the agent closed. */
export function planMarking(
  machine: Machine,
  project: Project,
  session: ReadSession,
  { asked, how }: { asked: Marking; how: CommandOptions },
): Planned {
  const { tree, report } = session
  if (asked.verb === 'branch-delete') refuseLive(machine, session)
  const said = planMark(tree, asked, machine.now())
  const facts = said.facts
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
    .map((fact) => ({ session: report.id, ...fact }))
  if (facts.length === 0)
    return { kind: 'nothing-to-do', verb: asked.verb, why: 'already-there', unsure: [], session }
  return plannedFacts(machine, project, session, {
    ...said,
    id: planId(report.id, asked, facts),
    verb: asked.verb,
    asked,
    how,
    facts,
    branches: said.branches.map((branch) => ({ id: branch.id, label: labelOf(tree, branch) })),
  })
}

/** Leaves out the new values: the time in a checkpoint would make two equal plans differ. */
function planId(session: string, asked: Marking, facts: readonly FactChange[]): string {
  return fingerprint({ session, asked, facts: facts.map(({ name, before }) => ({ name, before })) })
}

type Fact = Omit<FactChange, 'session'>

interface MarkPlan {
  readonly facts: readonly Fact[]
  readonly branches: readonly Branch[]
  readonly name: string | null
  readonly turn: TurnId | null
  /** Turns that will be hidden. */
  readonly turns: readonly TurnId[]
}

const nothingPlanned: MarkPlan = { facts: [], branches: [], name: null, turn: null, turns: [] }

function planMark(tree: Tree, asked: Marking, now: Date): MarkPlan {
  switch (asked.verb) {
    case 'branch-rename': {
      const branch = findBranch(tree, asked.branch)
      if (labelOf(tree, branch) !== asked.name) checkFree(tree, asked.name)
      const facts = [changeBranch(tree, branch, { name: asked.name })]
      return { ...nothingPlanned, facts, branches: [branch], name: asked.name }
    }
    case 'branch-delete':
      return planDeletion(tree, asked.branches)
    case 'branch-archive':
    case 'branch-unarchive': {
      const archived = asked.verb === 'branch-archive'
      const branches = findAll(tree, asked.branches)
      if (archived) refuseCurrent(tree, branches)
      const facts = branches.map((branch) => changeBranch(tree, branch, { archived }))
      return { ...nothingPlanned, facts, branches }
    }
    case 'branch-canonical':
      return planCanonical(tree, findBranch(tree, asked.branch))
    case 'checkpoint':
      return planCheckpoint(tree, asked, now)
    case 'checkpoint-delete': {
      const known = tree.marks.checkpoints.find(({ name }) => name === asked.name)
      if (known === undefined)
        throw new Failure('checkpoint-not-found', `There is no checkpoint “${asked.name}”.`, {
          hint: remedy`${command('checkpoints')} to list the checkpoints.`,
        })
      const { name, ...before } = known
      const facts = [{ name: checkpointFact(name), before, after: null }]
      return { ...nothingPlanned, facts, name, turn: known.turn }
    }
  }
}

function findAll(tree: Tree, names: readonly string[]): Branch[] {
  return [...new Set(names.map((name) => findBranch(tree, name)))]
}

/** Hides the turns that only these branches have; shared turns stay (sem.K1). */
function planDeletion(tree: Tree, names: readonly string[]): MarkPlan {
  const branches = findAll(tree, names)
  refuseCurrent(tree, branches)
  const facts = branches.map((branch) => changeBranch(tree, branch, { deleted: true }))
  const turns = turnsOnlyOf(tree.turns, shownBranches(tree), (each) => branches.includes(each))
  return { ...nothingPlanned, facts, branches, turns: [...turns] }
}

/** Archives the previous main branch instead of deleting it (W12). */
function planCanonical(tree: Tree, branch: Branch): MarkPlan {
  const old =
    shownBranches(tree).find(({ id }) => markOf(tree.marks, id).canonical) ?? tree.branches[0]!
  if (old === branch) return nothingPlanned
  refuseCurrent(tree, [old])
  const facts = [
    changeBranch(tree, old, { canonical: false, archived: true }),
    changeBranch(tree, branch, { canonical: true, archived: false }),
  ]
  return { ...nothingPlanned, facts, branches: [branch, old] }
}

function planCheckpoint(
  tree: Tree,
  { name: wanted, turn: at }: Extract<Marking, { verb: 'checkpoint' }>,
  now: Date,
): MarkPlan {
  const turn = at ?? tree.head
  if (turn === null) throw new Failure('turn-not-found', 'The session has no turn to name.')
  const name = wanted ?? freeName(tree)
  if (tree.marks.checkpoints.some((known) => known.name === name && known.turn === turn))
    return nothingPlanned
  checkFree(tree, name)
  const after = { turn, at: now.toISOString() }
  return {
    ...nothingPlanned,
    facts: [{ name: checkpointFact(name), before: null, after }],
    name,
    turn,
  }
}

function refuseCurrent(tree: Tree, branches: readonly Branch[]): void {
  if (tree.current === null || !branches.includes(tree.current)) return
  throw new Failure('branch-current', `The session is on ${labelOf(tree, tree.current)}.`, {
    hint: remedy`${command('switch', ['BRANCH'])} first.`,
  })
}

function changeBranch({ marks }: Tree, { id }: Branch, change: Partial<BranchMark>): Fact {
  const before = marks.branches.get(id) ?? null
  const after = { ...markOf(marks, id), ...change }
  const same = JSON.stringify(after) === JSON.stringify(markOf(marks, id))
  return { name: branchFact(id), before, after: same ? before : after }
}
