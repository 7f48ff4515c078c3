import { type Cell, type CellId } from '../cell/index.ts'
import { keepWellFormed, makeDraft, type Draft, type Proposal } from './plan-draft.ts'
import type { FactChange, TurnId } from '../data/index.ts'
import { describeFiles } from './plan-files.ts'
import type { Ask, FilePlan, NotCovered, Outcome, Plan, Warning } from './plan-result.ts'
import { canReturn, placeOf, type Route } from './plan-route.ts'
import { planDirectories } from './plan-directories.ts'
import type { CellChange, Place, PlanOptions, PlanVerb, World } from './plan-world.ts'

/** The findings of a verb. Assembling them into a plan is the same for all verbs. */
export interface Findings {
  readonly verb: PlanVerb
  readonly to: Place
  readonly turns: readonly TurnId[]
  readonly proposals: readonly Proposal[]
  readonly notCovered: readonly NotCovered[]
  /** Files that an earlier operation left and this one leaves too. */
  readonly stayed?: readonly NotCovered[]
  /** Unsure cells that are left alone (sem.A5). */
  readonly left?: readonly Cell[]
  readonly marks?: Route['marks']
  /** Cells that change without a file change. */
  readonly cells?: readonly CellChange[]
  readonly asks?: readonly Ask[]
  readonly inverts?: Plan['inverts']
  readonly facts?: readonly FactChange[]
}

export function assemblePlan(world: World, findings: Findings, options: PlanOptions): Outcome {
  const { verb, to, turns, proposals, notCovered } = findings
  const from = placeOf(world)
  const drafts = keepWellFormed(
    proposals.map((proposal) => makeDraft(proposal, options)),
    world,
    options,
  )
  const files = describeFiles(drafts, world.contents)
  const conflicts = files.filter((file) => file.verb === 'conflict').map(({ path }) => path)
  const recorded = drafts.flatMap((draft) =>
    draft.kind === 'write' ? [draft.proposal.record(draft.folded)] : [],
  )
  const moved = [...recorded.flatMap((each) => each.cells), ...(findings.cells ?? [])]
  const cells = conflicts.length > 0 ? [] : markReverted(world, moved, findings)
  const unsure = (findings.left ?? []).map(({ path, turn, doubt }) => ({
    path,
    turn,
    doubt: doubt ?? 'unsure',
  }))
  const facts = findings.facts ?? []
  if (files.length === 0 && cells.length === 0 && facts.length === 0) {
    if (notCovered.length > 0)
      return { kind: 'refused', verb, why: 'not-invertible', operations: [], notCovered }
    if (from.turn === to.turn && from.tip === to.tip && options.doesMore !== true) {
      const why = to.beforeFirst ? 'at-start' : 'already-there'
      return { kind: 'nothing-to-do', verb, why, unsure }
    }
  }
  const isNamed = new Set(notCovered.map(({ path }) => path))
  // A revert does not move the head, and an op undo restores the place, so `beforeFirst` stays.
  const stays = findings.marks !== undefined || findings.inverts !== undefined
  // With conflicts no cell moves yet, so count the cells that are in.
  const goesOut =
    conflicts.length > 0
      ? world.cells.some((cell) => cell.turn === to.turn && cell.in)
      : firstIsOut(world, cells, to.turn)
  const beforeFirst = to.beforeFirst && (stays || goesOut)
  return {
    kind: 'plan',
    verb,
    from,
    to: { ...to, beforeFirst },
    // The first turn stays in the conversation. Without files to move out, it was not passed.
    turns: to.beforeFirst && !beforeFirst ? turns.filter((turn) => turn !== to.turn) : turns,
    files,
    conflicts,
    cells,
    latestMoves: conflicts.length > 0 ? [] : recorded.flatMap((each) => each.latestMoves),
    facts,
    ...planDirectories(world.present, writtenBy(drafts), cells, world.cells),
    unsure,
    notCovered: [
      ...notCovered,
      ...(findings.stayed ?? []).filter(({ path }) => !isNamed.has(path)),
    ],
    asks: [...(findings.asks ?? []), ...asksOf(files, unsure)],
    // A revert says itself what it leaves reverted.
    warnings: warningsOf(
      findings.marks === undefined ? stillReverted(world, cells) : new Set(),
      drafts,
      files,
      turns,
    ),
    inverts: findings.inverts ?? null,
    seq: highestSeq(world, cells),
  }
}

/** Marks a turn's cells as reverted, or unmarks them, but not cells that were left alone. */
function markReverted(
  world: World,
  moved: readonly CellChange[],
  { marks, turns }: Findings,
): readonly CellChange[] {
  if (marks === undefined) return moved
  const changes = new Map<CellId, CellChange>(moved.map((change) => [change.before.id, change]))
  const comesBack = turns.includes(marks.turn)
  for (const cell of world.cells) {
    const now = changes.get(cell.id)?.after ?? cell
    const concerned = marks.reverted ? !now.in : now.in || !comesBack
    if (cell.turn !== marks.turn || now.reverted === marks.reverted || !concerned) continue
    const revertedSeq = marks.reverted ? world.seq + 1 : null
    changes.set(cell.id, {
      before: cell,
      after: { ...now, reverted: marks.reverted, revertedSeq },
    })
  }
  return [...changes.values()]
}

/** Without files to restore, before and after the first turn are the same place. */
function firstIsOut(world: World, cells: readonly CellChange[], first: TurnId | null): boolean {
  return first !== null && canReturn(cellsAfter(world, cells), first)
}

function cellsAfter(world: World, changes: readonly CellChange[]): readonly Cell[] {
  const changed = new Map(changes.map(({ after }) => [after.id, after]))
  return world.cells.map((cell) => changed.get(cell.id) ?? cell)
}

function writtenBy(drafts: readonly Draft[]) {
  return drafts.flatMap((draft) => (draft.kind === 'write' ? draft.files : []))
}

function asksOf(files: readonly FilePlan[], unsure: Plan['unsure']): Ask[] {
  const asks: Ask[] = []
  const lost = files.filter((file) => file.why === 'removes-outside-edits').map(({ path }) => path)
  if (unsure.length > 0) asks.push({ code: 'unsure-links', paths: unsure.map(({ path }) => path) })
  if (lost.length > 0) asks.push({ code: 'removes-outside-edits', paths: lost })
  return asks
}

/** Turns with files that are reverted both before and after the plan. */
function stillReverted(world: World, changes: readonly CellChange[]): ReadonlySet<TurnId> {
  const after = cellsAfter(world, changes)
  const still = world.cells.filter((cell, i) => cell.reverted && after[i]!.reverted)
  return new Set(still.map(({ turn }) => turn))
}

function warningsOf(
  stillOut: ReadonlySet<TurnId>,
  drafts: readonly Draft[],
  files: readonly FilePlan[],
  turns: readonly TurnId[],
): Warning[] {
  const warnings: Warning[] = []
  for (const { path, verb, proposed, chosen } of files) {
    if (verb === 'merge') warnings.push({ code: chosen === 'mark' ? 'marked' : 'merged', path })
    if (proposed === 'put-back') warnings.push({ code: 'only-whitespace', path })
  }
  for (const draft of drafts)
    for (const { path, what } of draft.kind === 'write' ? draft.folded.kept : [])
      warnings.push({ code: 'kept-mine', path, what })
  const reverted = turns.filter((turn) => stillOut.has(turn))
  if (reverted.length > 0) warnings.push({ code: 'reverted-turns-passed', turns: reverted })
  return warnings
}

function highestSeq(world: World, cells: readonly CellChange[]): number {
  return cells.reduce((highest, { after }) => Math.max(highest, after.since), world.seq + 1)
}
