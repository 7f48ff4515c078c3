import {
  pathsOf,
  placesOf,
  valueAt,
  type CellId,
  type FileChange,
  type Folded,
  type OperationId,
  type State,
  type WritingChoice,
} from '../cell/index.ts'
import {
  markValue,
  mergeValues,
  viewConflict,
  type MarkLabels,
  type Merge,
  type MergeKind,
  type Three,
} from '../text/index.ts'
import type { Proposal } from './plan-draft.ts'
import {
  findSuperseded,
  isAllSuperseded,
  isChangedSince,
  keepFlips,
  leftAsItIs,
  returnCell,
  returnSuperseded,
} from './plan-return.ts'
import type { NothingToDo, Plan, Refused } from './plan-result.ts'
import { samePlace } from './plan-route.ts'
import type { CellChange, Ledger, Operation, PlanOptions, World } from './plan-world.ts'
import { sameValue, type ProjectPath, type TurnId, type Value } from '../data/index.ts'

/** Converts an applied plan to its record in the operation log. */
export function recordOperation(
  plan: Plan,
  known: { id: OperationId; session: string },
): Operation {
  return {
    ...known,
    seq: plan.seq,
    verb: plan.verb,
    inverts: plan.inverts,
    from: plan.from,
    to: plan.to,
    files: plan.files
      .filter((file) => file.why !== 'kept-mine')
      .map(({ path, pre, post }) => ({ path, pre, post })),
    cells: plan.cells,
    latestMoves: plan.latestMoves,
    facts: plan.facts,
  }
}

export type Undoable =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | Pick<NothingToDo, 'kind' | 'why'>
  | (Pick<Refused, 'kind' | 'why'> & { readonly operations?: readonly OperationId[] })

/** Finds the operation that an op undo undoes, or the reason why it cannot (sem.O2, sem.O3). */
export function findUndoable(
  ledger: Pick<Ledger, 'operations' | 'cells'>,
  id: OperationId | undefined,
): Undoable {
  const { operations } = ledger
  const undone = undoneOperations(operations)
  const operation =
    id === undefined
      ? operations.findLast((each) => each.inverts === null && !undone.has(each.id))
      : operations.find((each) => each.id === id)
  if (operation === undefined)
    return id === undefined
      ? { kind: 'nothing-to-do', why: 'no-operation' }
      : { kind: 'refused', why: 'unknown-operation' }
  if (undone.has(operation.id)) return { kind: 'refused', why: 'already-undone' }
  const later = laterMovers(operation, operations, undone)
  if (later.length > 0) return { kind: 'refused', why: 'later-operations', operations: later }
  const present = new Map(ledger.cells.map((cell) => [cell.id, cell]))
  const moved = operation.cells.some(({ after }) => {
    const cell = present.get(after.id)
    return cell === undefined || cell.in !== after.in || cell.since !== after.since
  })
  return moved ? { kind: 'refused', why: 'cells-moved-since' } : { kind: 'operation', operation }
}

/** An op undo that was itself undone no longer counts. */
function undoneOperations(operations: readonly Operation[]): Set<OperationId> {
  const undone = new Set<OperationId>()
  for (const operation of operations.toReversed())
    if (operation.inverts !== null && !undone.has(operation.id)) undone.add(operation.inverts)
  return undone
}

function laterMovers(
  operation: Operation,
  operations: readonly Operation[],
  undone: ReadonlySet<OperationId>,
): OperationId[] {
  const index = operations.indexOf(operation)
  const later = operations.slice(index + 1)
  const cells = new Set<CellId>(operation.cells.map(({ after }) => after.id))
  const facts = new Set(operation.facts.map(({ session, name }) => `${session} ${name}`))
  const laterIds = new Set(later.map((each) => each.id))
  return later
    .filter((each) => {
      // An operation and its undo cancel out.
      if (undone.has(each.id) || (each.inverts !== null && laterIds.has(each.inverts))) return false
      if (facts.size > 0)
        return each.facts.some(({ session, name }) => facts.has(`${session} ${name}`))
      const movesHead = each.session === operation.session && !samePlace(each.from, each.to)
      return movesHead || each.cells.some(({ after }) => cells.has(after.id))
    })
    .map((each) => each.id)
}

/**
 * For each path, merges to undo the operation: base is its `post`, ours the present file, theirs
 * its `pre`.
 */
export function proposeUndo(
  world: World,
  operation: Operation,
  options: PlanOptions,
): { proposals: Proposal[]; cells: CellChange[] } {
  const groups = groupFiles(operation)
  const present = new Map(world.cells.map((cell) => [cell.id, cell]))
  const back = operation.cells.map(({ before, after }): CellChange => {
    const now = present.get(after.id) ?? after
    const { reverted, revertedSeq } = now
    const isStaying = !now.in && !before.in && hasLaterPrompt(world, before.turn, operation.seq)
    return { before: now, after: isStaying ? { ...before, reverted, revertedSeq } : before }
  })
  const touched = new Set(operation.files.map(({ path }) => path))
  return {
    proposals: groups.map((files) => proposeFiles(files, back, world, operation, options)),
    // Cells without a file change in the operation, such as those that only became reverted.
    cells: back.filter(({ after }) => !pathsOf(after).some((path) => touched.has(path))),
  }
}

/**
 * Whether a prompt came after this turn since then. If the turn's files were out at that prompt,
 * they stay out for good (sem.C3), even if the revert that kept them out is undone.
 */
function hasLaterPrompt({ line, head }: World, turn: TurnId, since: number): boolean {
  const [at, here] = [turn, head].map((id) => line.findIndex((each) => each.id === id))
  return at! >= 0 && line.slice(at! + 1, here! + 1).some(({ seq }) => seq > since)
}

/** Files joined by a rename go back together or not at all. */
function groupFiles(operation: Operation): FileChange[][] {
  const groupOf = new Map(operation.files.map((file) => [file.path, [file]]))
  for (const { after } of operation.cells) {
    const [one, other] = pathsOf(after).map((path) => groupOf.get(path))
    if (one === undefined || other === undefined || one === other) continue
    const joined = [...one, ...other]
    for (const file of joined) groupOf.set(file.path, joined)
  }
  return [...new Set(groupOf.values())]
}

function proposeFiles(
  files: readonly FileChange[],
  back: readonly CellChange[],
  world: World,
  operation: Operation,
  options: PlanOptions,
): Proposal {
  const paths = new Set(files.map(({ path }) => path))
  const cells = back.filter(({ after }) => pathsOf(after).some((path) => paths.has(path)))
  const untouched = files.every(({ path, post }) => sameValue(valueAt(world.now, path), post))
  const superseded = findSuperseded(world, cells, { seq: operation.seq, untouched })
  const merges = files.map((file) => ({
    path: file.path,
    merge: isAllSuperseded(file.path, cells, superseded)
      ? leftAsItIs(valueAt(world.now, file.path))
      : mergeValues(world.contents, threeOf(file, world)),
  }))
  const conflict = merges.find(({ merge }) => merge.kind === 'conflict')?.merge
  function write(values: State, how: MergeKind[]): Folded {
    return {
      kind: 'folded',
      files: files.map(({ path }) => ({
        path,
        pre: valueAt(world.now, path),
        post: valueAt(values, path),
      })),
      cells: cells.map((change) => {
        if (superseded.has(change.after.id)) return returnSuperseded(change, world.seq + 1)
        const back = untouched ? change.after : returnCell(change, cells, { files, world, after: values }) // prettier-ignore
        return isChangedSince(change, world, operation.seq) ? keepFlips(change, back, world.seq + 1) : back // prettier-ignore
      }),
      how,
      kept: merges.flatMap(({ path, merge }) =>
        merge.kind === 'merged' ? merge.kept.map((what) => ({ path, what })) : [],
      ),
    }
  }
  const labels = options.labels ?? { ours: 'now', theirs: 'restored' }
  return {
    before: files.map(({ path }) => {
      const now = valueAt(world.now, path)
      return { path, pre: now, post: now }
    }),
    attempt:
      conflict?.kind === 'conflict'
        ? { kind: 'conflict', reason: conflict.reason }
        : { kind: 'folded', folded: write(mergedValues(merges), merges.flatMap(howOf)) },
    view: () => viewConflict(world.contents, onlyThree(files, world)),
    sides: (path) => ({
      ...threeOf(
        files.find((file) => file.path === path)!,
        world,
      ),
      way: 'back',
    }),
    settle: (choice) => {
      const values = forcedValues(files, world, { choice, labels })
      return values === null ? null : write(values, [])
    },
    record: (folded) => ({
      cells: cells.map(({ before }, index) => ({ before, after: folded.cells[index]! })),
      latestMoves: operation.latestMoves
        .filter(({ path }) => paths.has(path))
        .map(({ path, before }) => ({
          path,
          before: world.latestMoves.get(path) ?? null,
          after: before,
        })),
    }),
    timesChanged: (path) => countCellChanges(cells, path),
    removesOutside: new Set(),
  }
}

function threeOf({ path, pre, post }: FileChange, world: World): Three<Value> {
  return { base: post, ours: valueAt(world.now, path), theirs: pre }
}

function mergedValues(merges: readonly { path: ProjectPath; merge: Merge }[]) {
  return new Map(
    merges.flatMap(({ path, merge }) =>
      merge.kind === 'merged' ? [[path, merge.value] as const] : [],
    ),
  )
}

function howOf({ merge }: { merge: Merge }): MergeKind[] {
  return merge.kind === 'merged' ? [merge.how] : []
}

function countCellChanges(cells: readonly CellChange[], path: ProjectPath): number {
  return cells
    .filter(({ after }) => pathsOf(after).includes(path))
    .reduce((sum, { after }) => sum + after.changes, 0)
}

/** Null for files joined by a rename, because markers cannot show it. */
function onlyThree(files: readonly FileChange[], world: World): Three<Value> | null {
  return files.length === 1 ? threeOf(files[0]!, world) : null
}

function forcedValues(
  files: readonly FileChange[],
  world: World,
  how: { choice: WritingChoice; labels: MarkLabels },
): ReadonlyMap<ProjectPath, Value> | null {
  if (how.choice === 'put-back') {
    if (files.some(({ pre }) => pre.kind === 'unknown')) return null
    return new Map(files.map(({ path, pre }) => [path, pre]))
  }
  const three = onlyThree(files, world)
  const places = placesOf(how.choice)
  const marked = three === null ? null : markValue(world.contents, three, how.labels, places)
  return marked === null ? null : new Map([[files[0]!.path, marked]])
}
