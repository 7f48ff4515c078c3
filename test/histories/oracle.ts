import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Act, HistoryWorld, Operation, Outcome } from './history.ts'
import {
  findJoined,
  findMoved,
  isOldPathTaken,
  mayConflict,
  type Rename,
  type TreeWithInodes,
} from './may-conflict.ts'
import { judgeHead } from './judge-head.ts'
import {
  differences,
  findMade,
  isIn,
  meet,
  readInodes,
  readTree,
  type Difference,
  type Tree,
} from './read-tree.ts'
import { LEADS_BACK, MAY_REFUSE, type State } from './state.ts'
import { Wrong } from './wrong.ts'

type Turn = Extract<Act, { do: 'turn' }>

/**
 * Remembers the tree of every state in a history. A state that is reached again must have the same
 * tree. It knows nothing of cells, links or merges.
 */
export class Oracle {
  readonly #world: HistoryWorld
  readonly #parents = new Map<string, string | null>()
  readonly #trees = new Map<string, Tree>()
  readonly #changedBy = new Map<string, readonly Difference[]>()
  readonly #movedBy = new Map<string, readonly Rename[]>()
  // Turns that only edited files in existing directories.
  readonly #editing = new Set<string>()
  /** The reverted turns at the end of each turn, which an exact rewind restores too. */
  readonly #revertedAtEnd = new Map<string, ReadonlySet<string>>()
  readonly #operations: { before: State; tree: Tree; turns: number; isUndone: boolean }[] = []
  #state: State = { head: null, beforeFirst: false, reverted: new Set() }
  #tree: Tree
  /** The files match no turn; only an op undo leads back. */
  #isAside = false
  #mine: string | null = null
  /** Cached until the next act, because reading the session is slow. */
  #line: ReturnType<HistoryWorld['line']> | null = null

  constructor(world: HistoryWorld) {
    this.#world = world
    this.#tree = this.#read()
    this.#trees.set(this.#key(this.#state), this.#tree)
  }

  get tree(): Tree {
    return this.#tree
  }
  get turns(): readonly string[] {
    return [...this.#parents.keys()]
  }
  get reverted(): ReadonlySet<string> {
    return this.#state.reverted
  }
  get isBeforeFirst(): boolean {
    return this.#state.beforeFirst
  }
  get isAside(): boolean {
    return this.#isAside
  }
  get hasMine(): boolean {
    return this.#mine !== null
  }
  get path(): readonly string[] {
    return this.#pathTo(this.#state.head)
  }

  /** The turns that the agent itself can rewind to. It reverts only what its own tools wrote. */
  get rewindable(): readonly string[] {
    const { path } = this
    const { beforeFirst, files, reverted } = this.#state
    if (beforeFirst || files !== undefined || reverted.size > 0) return []
    const other = path.findLastIndex((turn) => !this.#editing.has(turn))
    return path.slice(Math.max(0, other), -1)
  }

  line(): ReturnType<HistoryWorld['line']> {
    return (this.#line ??= this.#world.line())
  }

  /** Performs the act and checks it. False if the act makes no sense here. */
  async step(act: Act): Promise<boolean> {
    if (this.#isAside && act.do !== 'op-undo') return false
    if (act.do === 'turn') return this.#turn(act)
    if (act.do === 'user') return this.#save(act.text)
    if (!this.#makesSense(act)) return false
    const before = this.#tree
    this.#line = null
    const outcome = await this.#world.operate(act)
    this.#tree = this.#read()
    if (outcome.kind === 'done') await this.#judgeDone(act, before, outcome)
    else this.#judgeNotDone(act, before, outcome)
    return true
  }

  async #turn({ prompt, steps, rewoundTo }: Turn): Promise<boolean> {
    // Files of turns after the head cannot belong to a new prompt's line.
    if (this.#state.files !== undefined && !this.path.includes(this.#state.files)) return false
    if (rewoundTo !== undefined && !this.rewindable.includes(rewoundTo)) return false
    // With a reverted turn on the way, the agent's result is unknown.
    if (rewoundTo !== undefined && !this.#trees.has(this.#pathTo(rewoundTo).join(' '))) return false
    this.#line = null
    const { beforeFirst, files, reverted } = this.#state
    const head = rewoundTo ?? this.#state.head
    const before = rewoundTo === undefined ? this.#tree : this.#trees.get(this.#pathTo(head).join(' '))! // prettier-ignore
    const isEdits = steps.every(
      (step) => !('bash' in step) && isIn(before, 'write' in step ? step.write : step.edit),
    )
    const passed = this.path.slice(this.path.indexOf(head ?? '') + 1)
    const start = this.#readInodes()
    await this.#world.turn(prompt, steps, rewoundTo === undefined ? undefined : { to: rewoundTo, passed }) // prettier-ignore
    if (isEdits && steps.length > 0) this.#editing.add(prompt)
    this.#parents.set(prompt, head)
    // The conversation continued without the files of these turns, so they stay out (sem.C3).
    const out = this.path.slice(this.#pathTo(beforeFirst ? null : (files ?? head)).length)
    const stays = rewoundTo === undefined ? [...reverted, ...out] : reverted
    this.#state = { head: prompt, beforeFirst: false, reverted: new Set(stays) }
    this.#revertedAtEnd.set(prompt, this.#state.reverted)
    this.#tree = this.#read()
    this.#changedBy.set(prompt, differences(before, this.#tree))
    this.#movedBy.set(prompt, findMoved(start, this.#readInodes()))
    this.#trees.set(this.#key(this.#state), this.#tree)
    return true
  }

  async #save(text: string): Promise<boolean> {
    await setTimeout(APART_MS)
    writeFileSync(join(this.#world.project, MINE), text)
    this.#mine = text
    await setTimeout(APART_MS)
    return true
  }

  /** The tree without the user's own file, which must be as the user saved it. */
  #read(): Tree {
    const tree = readTree(this.#world.project)
    const mine = tree.get(MINE)?.replace(/^file \d+ text /, '') ?? null
    if (mine !== this.#mine) throw new Wrong('mine', `${MINE} is ${mine}, not ${this.#mine}`)
    tree.delete(MINE)
    return tree
  }

  #readInodes(): TreeWithInodes {
    return { tree: this.#read(), inodes: readInodes(this.#world.project) }
  }

  #makesSense(act: Operation): boolean {
    if (this.#state.files !== undefined && !LEADS_BACK.has(act.do)) return false
    if (act.do === 'op-undo') return !this.#partsFiles()
    if (act.do === 'undo' || act.do === 'redo' || act.do === 'revert-files') return true
    const turn = act.do === 'revert' ? act.turn : act.do === 'restore' ? act.at : act.to
    return turn === null || this.#parents.has(turn)
  }

  /** Whether an op undo would return to files that were moved alone, with turns made since. */
  #partsFiles(): boolean {
    const operation = this.#operations.findLast(({ isUndone }) => !isUndone)
    return operation?.before.files !== undefined && operation.turns < this.#parents.size
  }

  async #judgeDone(
    act: Operation,
    before: Tree,
    { written, left, beforeFirst, hasChosen }: Extract<Outcome, { kind: 'done' }>,
  ): Promise<void> {
    const changed = differences(before, this.#tree)
      .filter(({ one, other }) => [one, other].some((line) => !/^directory|^nothing/.test(line)))
      .map(({ path }) => path)
    const claimed = [...new Set(written)].sort()
    if (changed.join('\n') !== claimed.join('\n'))
      throw new Wrong('receipt', `${tell(act)}: changed ${changed.join(', ') || 'nothing'}, the receipt says ${claimed.join(', ') || 'nothing'}`) // prettier-ignore
    if (left.length > 0) throw new Wrong('left', `${tell(act)}: left ${left.join(', ')}`)
    this.#isAside = hasChosen || act.do === 'restore' || act.do === 'revert-files'
    if (act.do === 'restore') this.#judgeRestore(act)
    if (act.do === 'revert-files' && !hasChosen) this.#judgeRevertFiles(act, changed)
    const { prompts, head } = await this.line()
    const at = head === 0 ? null : prompts[head - 1]!
    judgeHead(act, at, this.path)
    if (act.do === 'op-undo') return this.#judgeOpUndo(act)
    this.#operations.push({ before: this.#state, tree: before, turns: this.#parents.size, isUndone: false }) // prettier-ignore
    if (this.#isAside) return
    const reverted = new Set(this.#revertedBy(act))
    if (act.do === 'revert' && act.off) reverted.delete(act.turn)
    if (act.do === 'revert' && !act.off) reverted.add(act.turn)
    const isMove = act.do !== 'revert'
    if (!isMove) this.#judgeRevert(act, changed)
    if (act.do === 'rewind' && act.to !== null && act.only === 'files') {
      this.#state = { ...this.#state, files: act.to, beforeFirst: false }
      return this.#judgeTree(act)
    }
    this.#state = {
      head: at,
      beforeFirst: isMove ? beforeFirst : this.#state.beforeFirst,
      reverted,
    }
    this.#judgeTree(act)
  }

  #judgeRevert(act: Extract<Operation, { do: 'revert' }>, changed: readonly string[]): void {
    const later = this.path.slice(this.path.indexOf(act.turn) + 1)
    const made = later.flatMap((turn) => (this.reverted.has(turn) ? [] : this.#changedBy.get(turn)!)) // prettier-ignore
    // A file goes back to its old path where a later turn deleted only what took its place.
    const old = new Set(this.#movedBy.get(act.turn)!.map(({ from }) => from))
    const taken = findMade(
      made.filter(({ path, other }) => other !== 'nothing' || !old.has(path)),
      changed,
    )
    if (taken !== null) throw new Wrong('tree', `${tell(act)} changed ${taken}, of a later turn`)
  }

  #judgeTree(act: Operation): void {
    const key = this.#key(this.#state)
    const known = this.#trees.get(key)
    if (known === undefined) return void this.#trees.set(key, this.#tree)
    this.#compare(act, known, key)
  }

  #judgeOpUndo(act: Operation): void {
    const operation = this.#operations.findLast(({ isUndone }) => !isUndone)
    if (operation === undefined) throw new Wrong('head', 'op undo without an operation')
    operation.isUndone = true
    if (operation.turns === this.#parents.size) {
      this.#state = operation.before
      return this.#compare(act, operation.tree, 'before that operation')
    }
    // After a new prompt only operations that did not move the head can be undone. Turns that were
    // out at that prompt stay out.
    const { before } = operation
    const stays = before.beforeFirst ? this.#pathTo(before.head) : []
    this.#state = { ...this.#state, reverted: new Set([...before.reverted, ...stays]) }
    this.#judgeTree(act)
  }

  #judgeRestore(act: Extract<Operation, { do: 'restore' }>): void {
    const wanted = this.#trees.get(this.#pathTo(act.at).join(' '))
    if (wanted === undefined) return
    // Restore restores files only; a directory counts as nothing.
    const [one, other] = [wanted, this.#tree].map(
      (tree) => tree.get(act.path)?.replace(/^directory .*/, 'nothing') ?? 'nothing',
    )
    if (one !== other) throw new Wrong('tree', `${tell(act)}: ${other} instead of ${one}`)
  }

  /** No turn's changes are left in the file, and other files stay unless a rename joins them. */
  #judgeRevertFiles(
    act: Extract<Operation, { do: 'revert-files' }>,
    changed: readonly string[],
  ): void {
    const found = this.#tree.get(act.path)
    if (found !== undefined && !found.startsWith('directory'))
      throw new Wrong('tree', `${tell(act)}: ${found} instead of nothing`)
    const trees = [...this.#trees.values()]
    if (isEmptied(act.path, this.#tree) && !trees.some((tree) => isEmptied(act.path, tree)))
      throw new Wrong('tree', `${tell(act)}: a directory that was never empty`)
    const joined = findJoined(
      act.path,
      this.path.map((turn) => ({
        changes: this.#changedBy.get(turn)!,
        moved: this.#movedBy.get(turn)!,
      })),
    )
    const other = changed.find((path) => !joined.has(path))
    if (other !== undefined) throw new Wrong('tree', `${tell(act)} changed ${other}`)
  }

  #compare(act: Operation, wanted: Tree, what: string): void {
    const found = differences(wanted, this.#tree)
    if (found.length === 0) return
    const lines = found.map(({ path, one, other }) => `  ${path}: ${other} instead of ${one}`)
    throw new Wrong('tree', `${tell(act)} to [${what}]:\n${lines.join('\n')}`)
  }

  #judgeNotDone(act: Operation, before: Tree, outcome: Exclude<Outcome, { kind: 'done' }>): void {
    const changed = differences(before, this.#tree)
    if (changed.length > 0)
      throw new Wrong('tree', `${tell(act)} said ${outcome.kind} and changed ${changed[0]!.path}`)
    if (outcome.kind === 'nothing') return this.#judgeNothing(act)
    const { code, message, files } = outcome
    const isHeldUp = act.do === 'op-undo' && MAY_REFUSE.has(code)
    if (isHeldUp || (code === 'conflict' && this.#mayConflict(act, files))) return
    throw new Wrong(code === 'conflict' ? 'conflict' : `refused ${code}`, `${tell(act)}: ${code} ${message}`) // prettier-ignore
  }

  #mayConflict(act: Operation, files: readonly string[]): boolean {
    if (act.do === 'revert-files' && this.#standsAround(act.path, files)) return true
    if (act.do === 'revert-files' && this.#isFileAbove(files)) return true
    const turns = this.path.map((turn) => this.#changedBy.get(turn)!)
    if (act.do === 'revert-files' && isOldPathTaken(act.path, files, { turns, tree: this.#tree })) return true // prettier-ignore
    const reverted = new Set([this.reverted, ...this.#revertedAtEnd.values()].flatMap((each) => [...each])) // prettier-ignore
    if (act.do === 'revert') reverted.add(act.turn)
    const undone = act.do === 'op-undo' ? this.#operations.findLast(({ isUndone }) => !isUndone) : undefined // prettier-ignore
    const since = new Set(undone === undefined ? [] : this.turns.slice(undone.turns))
    return mayConflict(files, { changedBy: this.#changedBy, reverted, since })
  }

  /** Whether other entries need the directory that would become a file again. */
  #standsAround(path: string, files: readonly string[]): boolean {
    const parent = files.find((each) => path.startsWith(`${each}/`))
    const isOther = (each: string): boolean => !meet(each, path) && each.startsWith(`${parent}/`)
    return parent !== undefined && [...this.#tree.keys()].some(isOther)
  }

  /** Whether a file is where the old path of a renamed one needs a directory. */
  #isFileAbove(files: readonly string[]): boolean {
    const above = [...this.#tree].filter(([, line]) => /^file|^link/.test(line))
    return files.some((path) => above.some(([each]) => path.startsWith(`${each}/`)))
  }

  /** "Nothing to do" is right only if the files are already as wanted. */
  #judgeNothing(act: Operation): void {
    const path = this.path
    const { beforeFirst, files } = this.#state
    const reverted = this.#revertedBy(act)
    // If the files were moved alone, files of turns after the head are not part of an undo.
    if (act.do === 'undo' && path.length > 0 && !beforeFirst && files === undefined)
      this.#sameAs(act, { head: path[0]!, beforeFirst: true, reverted })
    if (act.do === 'rewind' || act.do === 'switch' || act.do === 'exact')
      this.#sameAs(act, { head: act.to ?? path[0] ?? null, beforeFirst: act.to === null, reverted })
  }

  #sameAs(act: Operation, state: State): void {
    const known = this.#trees.get(this.#key(state))
    if (known !== undefined) this.#compare(act, known, `${this.#key(state)}, nothing to do`)
  }

  #revertedBy(act: Operation): ReadonlySet<string> {
    const { reverted } = this.#state
    return act.do === 'exact' ? (this.#revertedAtEnd.get(act.to) ?? reverted) : reverted
  }

  #pathTo(turn: string | null): string[] {
    const path: string[] = []
    for (let at = turn; at !== null; at = this.#parents.get(at) ?? null) path.unshift(at)
    return path
  }

  #key({ head, beforeFirst, files, reverted }: State): string {
    if (beforeFirst) return ''
    return this.#pathTo(files ?? head)
      .map((turn) => (reverted.has(turn) ? `(${turn})` : turn))
      .join(' ')
  }
}

/** A file whose name no turn uses. */
const MINE = 'mine.txt'
const APART_MS = 30

function isEmptied(path: string, tree: Tree): boolean {
  const isDirectory = tree.get(path)?.startsWith('directory') === true
  return isDirectory && ![...tree.keys()].some((each) => each.startsWith(`${path}/`))
}

function tell(act: Operation): string {
  return JSON.stringify(act)
}
