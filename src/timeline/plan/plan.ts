import { groupMoves, isOn, pathsOf, type Cell, type Move, type MoveGroup } from '../cell/index.ts'
import { assemblePlan } from './plan-assemble.ts'
import { passedMoves, proposeTarget } from './plan-exact.ts'
import { findUndoable, proposeUndo } from './plan-operation.ts'
import type { Ask, Outcome, Refused } from './plan-result.ts'
import { findRoute, movesOf, placeOf, samePlace, type Route } from './plan-route.ts'
import type { Proposal } from './plan-draft.ts'
import { movesAt, proposeParts } from './plan-paths.ts'
import { findStayed, proposeAround } from './plan-turns.ts'
import type { CellChange, Ledger, LineTurn, PlanOptions, PlanRequest, World } from './plan-world.ts'
import type { ContentId, ProjectPath, Value } from '../data/index.ts'

/** Computes everything a verb would do to the files and the head, without changing anything. */
export function makePlan(world: World, request: PlanRequest, options: PlanOptions = {}): Outcome {
  if (request.verb === 'op-undo') return planOperationUndo(world, request.operation, options)
  if (request.verb === 'revert-files') return planFiles(world, request, options)
  const { verb } = request
  if (request.verb === 'restore') {
    const found = proposeTarget(world, request.target, new Set())
    return assemblePlan(world, { verb, to: placeOf(world), turns: [], ...found }, options)
  }
  const route = findRoute(world, request, options)
  if (route.kind === 'refused') return { ...refusal(verb), ...route }
  if (route.kind === 'nothing-to-do') return { verb, unsure: [], ...route }
  const { to } = route
  const turns = [...route.outs, ...route.ins]
  if (request.verb === 'exact') {
    const found = proposeTarget(world, request.target, new Set(turns))
    const asks = asksAboutTree(world, request.to)
    return assemblePlan(world, { verb, to, turns, ...found, asks }, options)
  }
  const { moves, left } = movesOf(route, world.cells, options.includeUnsure === true)
  const found = proposeAround(world, moves, { left, options })
  const marks = route.marks === undefined ? {} : { marks: route.marks }
  const line = request.verb === 'switch' ? [...world.line, ...request.line] : world.line
  const asks = asksAboutGit(world, line, route)
  const stayed = findStayed(world, route.ins)
  return assemblePlan(world, { verb, to, turns, ...found, stayed, left, ...marks, asks }, options)
}

/** The paths that must be read before the plan can be made, and the contents it may need. */
export function readsOf(
  ledger: Ledger,
  request: PlanRequest,
  options: PlanOptions = {},
): { paths: ProjectPath[]; contents: ContentId[] } {
  const paths = new Set<ProjectPath>()
  const values: Value[] = []
  function addGroups(groups: readonly MoveGroup[]) {
    for (const group of groups) for (const path of group.paths) paths.add(path)
  }
  if (request.verb === 'op-undo') {
    const found = findUndoable(ledger, request.operation)
    const { files = [], cells = [] } = found.kind === 'operation' ? found.operation : {}
    for (const file of files) {
      paths.add(file.path)
      values.push(file.pre, file.post)
    }
    // A file may now be at the path of a directory that comes back.
    for (const { after } of cells) if (after.directory !== undefined) paths.add(after.path)
  } else if (request.verb === 'restore' || request.verb === 'exact') {
    for (const [path, value] of request.target.values) {
      paths.add(path)
      values.push(value)
    }
    addGroups(groupMoves(ledger.cells, passedMoves(ledger.cells, request.target)))
  } else if (request.verb === 'revert-files') {
    const { moves } = movesAt(ledger, request.paths, options.includeUnsure === true)
    addGroups(groupMoves(ledger.cells, moves))
  } else {
    const route = findRoute(ledger, request, options)
    if (route.kind === 'route') {
      const { moves } = movesOf(route, ledger.cells, options.includeUnsure === true)
      addGroups(groupMoves(ledger.cells, moves))
      for (const cell of ledger.cells)
        if (cell.in && route.ins.includes(cell.turn))
          for (const path of pathsOf(cell)) paths.add(path)
    }
  }
  for (const cell of ledger.cells)
    if (pathsOf(cell).some((path) => paths.has(path))) values.push(...valuesIn(cell))
  for (const path of paths)
    for (const { pre, post } of ledger.latestMoves.get(path)?.files ?? []) values.push(pre, post)
  const contents = values.flatMap((value) => (value.kind === 'file' ? [value.content] : []))
  return { paths: [...paths].sort(), contents: [...new Set(contents)] }
}

function valuesIn(cell: Cell): Value[] {
  const moves = [cell.last, cell.lastFrom].flatMap((move) => move ?? [])
  return [
    ...cell.eff.flatMap(({ before, after }) => [before, after]),
    ...moves.flatMap(({ pre, post }) => [pre, post]),
  ]
}

function planOperationUndo(
  world: World,
  id: Parameters<typeof findUndoable>[1],
  options: PlanOptions,
): Outcome {
  const verb = 'op-undo'
  const found = findUndoable(world, id)
  if (found.kind === 'refused') return { ...refusal(verb), ...found }
  if (found.kind === 'nothing-to-do') return { verb, unsure: [], ...found }
  const { operation } = found
  const here = placeOf(world)
  const movedHead = !samePlace(operation.from, operation.to)
  // A newer prompt moved the head. The files can go back. Moving the conversation back too would
  // hide what was said meanwhile (sem.O2).
  const stays = movedHead && world.head !== operation.to.turn
  const asks: Ask[] = stays ? [{ code: 'conversation-stays' }] : []
  return assemblePlan(
    world,
    {
      verb,
      to: movedHead && !stays ? operation.from : here,
      turns: [...new Set(operation.cells.map(({ after }) => after.turn))],
      ...proposeUndo(world, operation, options),
      notCovered: [],
      asks,
      inverts: operation.id,
      facts: operation.facts.map((fact) => ({
        ...fact,
        before: fact.after,
        after: fact.before,
      })),
    },
    options,
  )
}

/**
 * Reverts what turns did to single files, or to parts of one file. Like a revert, it lasts over
 * undo and redo.
 */
function planFiles(
  world: World,
  { paths, parts }: Extract<PlanRequest, { verb: 'revert-files' }>,
  options: PlanOptions,
): Outcome {
  const verb = 'revert-files'
  const { moves, left } = movesAt(world, paths, options.includeUnsure === true)
  const { proposals: whole, notCovered } = proposeAround(world, moves, { left, options })
  const cut = parts === undefined ? whole : cutParts(world, whole, moves, parts)
  if (cut === null) return { ...refusal(verb), kind: 'refused', why: 'parts-changed' }
  const to = placeOf(world)
  const outs = [...new Set(moves.map(({ cell }) => cell.turn))]
  const asks = asksAboutGit(world, world.line, { kind: 'route', outs, ins: [], to })
  const found = { verb, to, turns: [], proposals: cut, notCovered, left, asks } as const
  const outcome = assemblePlan(world, found, options)
  if (outcome.kind !== 'plan') return outcome
  const moved = new Set(moves.map(({ cell }) => cell.id))
  const cells = outcome.cells.map((change): CellChange => {
    const { after } = change
    if (after.in || !moved.has(after.id)) return change
    return { ...change, after: { ...after, reverted: true, revertedSeq: world.seq + 1 } }
  })
  return { ...outcome, cells }
}

function cutParts(
  world: World,
  whole: readonly Proposal[],
  moves: readonly Move[],
  keys: ReadonlySet<string>,
): Proposal[] | null {
  const [proposal, more] = whole
  if (proposal === undefined || more !== undefined) return null
  const cut = proposeParts(world, proposal, moves, keys)
  return cut === null ? null : [cut]
}

function refusal(verb: Refused['verb']): Pick<Refused, 'verb' | 'operations' | 'notCovered'> {
  return { verb, operations: [], notCovered: [] }
}

/** Asks before restoring a whole tree that was seen on another git branch (sem.O5). */
function asksAboutTree(world: World, to: LineTurn['id'] | null): Ask[] {
  const branch = world.line.find(({ id }) => id === to)?.gitBranch ?? null
  const known = branch !== null && (world.gitBranch ?? null) !== null
  return known && branch !== world.gitBranch ? [{ code: 'other-git-branch', turns: [to!] }] : []
}

/**
 * Asks before moving changes made on another git branch, because those were other files (sem.O5).
 */
function asksAboutGit(world: World, line: readonly LineTurn[], route: Route): Ask[] {
  const branches = new Map(line.map((turn) => [turn.id, turn.gitBranch ?? null]))
  const elsewhere = [
    ...route.outs.map((turn) => ({ turn, side: 'in' as const })),
    ...route.ins.map((turn) => ({ turn, side: 'out' as const })),
  ].filter(({ turn, side }) => {
    const branch = branches.get(turn) ?? null
    const known = branch !== null && (world.gitBranch ?? null) !== null
    const moves = world.cells.some((cell) => cell.turn === turn && isOn(cell, side))
    return known && branch !== world.gitBranch && moves
  })
  if (elsewhere.length === 0) return []
  return [{ code: 'other-git-branch', turns: elsewhere.map(({ turn }) => turn) }]
}
