import { addLink } from '../cell/cell-links.ts'
import {
  stayOut,
  type Author,
  type Cell,
  type CellId,
  type Link,
  type OperationId,
} from '../cell/cell.ts'
import { bytesOf, latin1, memoryContents } from '../data/contents.testing.ts'
import { filesPlace } from './files-place.ts'
import type { LatestMove } from '../cell/move-fold.ts'
import { recordOperation } from './plan-operation.ts'
import type { Outcome } from './plan-result.ts'
import { makePlan, readsOf } from './plan.ts'
import type { LineTurn, Operation, Place, PlanOptions, PlanRequest, World } from './plan-world.ts'
import { findParts, type RestorablePart } from '../text/restore-parts.ts'
import type { TurnId } from '../data/turn.ts'
import { absent, sameValue, type ProjectPath, type Value } from '../data/value.ts'
import { FOLDS_ALL } from '../data/name-folding.ts'

/** A file in tests: its lines, one per word. Null for no file. */
export type Words = string | null

/**
 * A project with one session for tests. Agents and people write files, operations are planned and
 * applied, and everything is recorded as the engine would.
 */
export function makeModel(initial: Record<string, Words>) {
  const contents = memoryContents()
  const turns = new Map<TurnId, { parent: TurnId | null; seq: number; gitBranch: string | null }>()
  const model = {
    now: new Map<ProjectPath, Value>(),
    cells: [] as readonly Cell[],
    latestMoves: new Map<ProjectPath, LatestMove>(),
    operations: [] as Operation[],
    place: { turn: null, beforeFirst: false, tip: null } as Place,
    seq: 0,
    gitBranch: null as string | null,
    /** As on macOS. Linux distinguishes case. */
    folding: FOLDS_ALL,
    contents,

    value(words: Words, mode = 0o644): Value {
      if (words === null) return absent
      const text = words === '' ? '' : words.split(' ').join('\n') + '\n'
      return { kind: 'file', content: contents.add(bytesOf(text)), mode }
    },

    words(path: string): Words {
      const value = model.now.get(path as ProjectPath) ?? absent
      if (value.kind === 'absent') return null
      if (value.kind !== 'file') return value.kind
      return latin1(contents.bytes(value.content)).trimEnd().split('\n').join(' ')
    },

    files(): Record<string, Words> {
      const paths = [...model.now.keys()].sort()
      return Object.fromEntries(
        paths.map((path) => [path, model.words(path)]).filter(([, words]) => words !== null),
      )
    },

    /** Records a link and updates the cells. */
    link(path: string, after: Value, author: Author, more: Partial<Link> = {}) {
      const at = path as ProjectPath
      const before = more.before ?? model.now.get(more.renamedFrom ?? at) ?? absent
      if (sameValue(before, after) && more.renamedFrom === undefined) return
      const link = { seq: ++model.seq, path: at, renamedFrom: null, before, after, author, ...more }
      model.cells = addLink(model.cells, link)
      if (link.renamedFrom !== null) model.now.set(link.renamedFrom, absent)
      model.now.set(at, after)
    },

    /** A prompt without any changes by the agent. */
    prompt(id: string): TurnId {
      const turn = id as TurnId
      const seq = ++model.seq
      const line = new Set(model.lineTo(model.place.turn).map((each) => each.id))
      model.cells = stayOut(model.cells, line, seq)
      turns.set(turn, { parent: model.place.turn, seq, gitBranch: model.gitBranch })
      model.place = { turn, beforeFirst: false, tip: turn }
      return turn
    },

    agent(id: string, files: Record<string, Words>): TurnId {
      const turn = model.prompt(id)
      model.write(turn, files)
      return turn
    },

    write(turn: TurnId, files: Record<string, Words>) {
      for (const [path, words] of Object.entries(files))
        model.link(path, model.value(words), { kind: 'turn', turn })
    },

    human(files: Record<string, Words>) {
      for (const [path, words] of Object.entries(files))
        model.link(path, model.value(words), { kind: 'outside' })
    },

    lineTo(tip: TurnId | null): LineTurn[] {
      const line: LineTurn[] = []
      for (let at = tip; at !== null; at = turns.get(at)!.parent)
        line.unshift({ id: at, seq: turns.get(at)!.seq, gitBranch: turns.get(at)!.gitBranch })
      return line
    },

    tips(): TurnId[] {
      const parents = new Set([...turns.values()].map(({ parent }) => parent))
      return [...turns.keys()].filter((id) => !parents.has(id))
    },

    turnIds: (): TurnId[] => [...turns.keys()],

    cell(id: CellId): Cell | undefined {
      return model.cells.find((cell) => cell.id === id)
    },

    cellOf(turn: string, path: string): Cell {
      const found = model.cells.find((cell) => cell.turn === turn && cell.path === path)
      if (found === undefined) throw new Error(`turn ${turn} has no cell at ${path}`)
      return found
    },

    world(request: PlanRequest, options: PlanOptions = {}, from: 'chat' | 'files' = 'chat'): World {
      const recorded = {
        line: model.lineTo(model.place.tip),
        head: model.place.turn,
        beforeFirst: model.place.beforeFirst,
        cells: model.cells,
        latestMoves: model.latestMoves,
        operations: model.operations,
        seq: model.seq,
      }
      const ledger = from === 'chat' ? recorded : { ...recorded, ...filesPlace(recorded) }
      // Only the paths from `readsOf`, so a plan that reads others fails.
      const { paths } = readsOf(ledger, request, options)
      return {
        ...ledger,
        contents,
        now: new Map(paths.map((path) => [path, model.now.get(path) ?? absent])),
        present: [...model.now].flatMap(([path, value]) => (value.kind === 'absent' ? [] : [path])),
        folding: model.folding,
        gitBranch: model.gitBranch,
      }
    },

    plan(request: PlanRequest, options?: PlanOptions, from?: 'chat' | 'files'): Outcome {
      return makePlan(model.world(request, options, from), request, options)
    },

    /** Plans, and applies the plan if it has no conflicts. */
    run(request: PlanRequest, options?: PlanOptions, from?: 'chat' | 'files'): Outcome {
      const plan = model.plan(request, options, from)
      if (plan.kind !== 'plan' || plan.conflicts.length > 0) return plan
      for (const { path, post } of plan.files) model.now.set(path, post)
      const after = new Map(plan.cells.map((change) => [change.after.id, change.after]))
      model.cells = model.cells.map((cell) => after.get(cell.id) ?? cell)
      for (const latest of plan.latestMoves)
        if (latest.after === null) model.latestMoves.delete(latest.path)
        else model.latestMoves.set(latest.path, latest.after)
      model.place = plan.to
      model.seq = plan.seq
      const id = `op${model.operations.length + 1}` as OperationId
      model.operations = [...model.operations, recordOperation(plan, { id, session: 's' })]
      return plan
    },

    undo: (count = 1, options?: PlanOptions) => model.run({ verb: 'undo', count }, options),
    redo: (count: number | 'all' = 1, options?: PlanOptions) =>
      model.run({ verb: 'redo', count }, options),
    /** Moves only the files, from their position. The conversation stays. */
    moveFiles: (request: PlanRequest, options?: PlanOptions) => {
      const { place } = model
      const outcome = model.run(request, options, 'files')
      model.place = place
      return outcome
    },
    revert: (turn: string, options?: PlanOptions) =>
      model.run({ verb: 'revert', turn: turn as TurnId }, options),
    revertFiles: (paths: readonly string[], options?: PlanOptions) =>
      model.run({ verb: 'revert-files', paths: new Set(paths as ProjectPath[]) }, options),
    /** The parts of a file that reverting the turns' changes would change. Null for a conflict. */
    parts(path: string): RestorablePart[] | null {
      const paths = new Set([path as ProjectPath])
      const plan = model.plan({ verb: 'revert-files', paths })
      const file = plan.kind === 'plan' ? plan.files[0] : undefined
      if (file?.verb === 'conflict') return null
      return file === undefined ? [] : findParts(contents, file.post, file.pre)
    },
    revertPart: (path: string, part: RestorablePart, options?: PlanOptions) =>
      model.run(
        {
          verb: 'revert-files',
          paths: new Set([path as ProjectPath]),
          parts: new Set([part.key]),
        },
        options,
      ),
    revertOff: (turn: string, options?: PlanOptions) =>
      model.run({ verb: 'revert-off', turn: turn as TurnId }, options),
    switchTo: (tip: string, to?: string, options?: PlanOptions) => {
      const line = model.lineTo(tip as TurnId)
      const end = to === undefined ? {} : { to: to as TurnId }
      return model.run({ verb: 'switch', line, ...end }, options)
    },
    opUndo: (id?: string) =>
      model.run({
        verb: 'op-undo',
        ...(id === undefined ? {} : { operation: id as OperationId }),
      }),

    /** Everything an operation can change, to compare as a whole. */
    state() {
      return {
        files: model.files(),
        place: model.place,
        cells: model.cells,
        latestMoves: [...model.latestMoves].sort(([a], [b]) => (a < b ? -1 : 1)),
      }
    },
  }
  for (const [path, words] of Object.entries(initial))
    model.now.set(path as ProjectPath, model.value(words))
  return model
}

export type Model = ReturnType<typeof makeModel>

export function isDone(outcome: Outcome | null): boolean {
  return outcome?.kind === 'plan' && outcome.conflicts.length === 0
}

export function isConflict(outcome: Outcome | null): boolean {
  return outcome?.kind === 'plan' && outcome.conflicts.length > 0
}
