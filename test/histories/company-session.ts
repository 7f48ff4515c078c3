import type { View } from './company-files.ts'
import type { Member } from './company-world.ts'
import type { Operation } from './history.ts'

/** One session as the oracle knows it: its turns, and what each state left in the files. */
export class CompanySession {
  readonly who: 'A' | 'B'
  readonly member: Member
  readonly views = new Map<string, View>()
  readonly #parents = new Map<string, string | null>()
  readonly #changedBy = new Map<string, ReadonlySet<string>>()
  /** Files of turns that were ever undone, and of those that were ever reverted. */
  readonly #undone = new Set<string>()
  readonly #revertedFiles = new Set<string>()
  #head: string | null = null
  #isBeforeFirst = false
  #reverted: ReadonlySet<string> = new Set()

  constructor(who: 'A' | 'B', member: Member) {
    this.who = who
    this.member = member
  }

  get turns(): readonly string[] {
    return [...this.#parents.keys()]
  }
  get path(): readonly string[] {
    return this.#pathTo(this.#head)
  }
  get reverted(): ReadonlySet<string> {
    return this.#reverted
  }

  /** The turns whose changes are in the files. */
  get key(): string {
    return this.#present().join(' ')
  }

  addTurn(prompt: string, changed: ReadonlySet<string>): void {
    // The conversation continued without the files of these turns, so they stay out (sem.C3).
    const out = this.#isBeforeFirst ? this.path : []
    this.#noteReverted(out)
    this.#reverted = new Set([...this.#reverted, ...out])
    this.#parents.set(prompt, this.#head)
    this.#changedBy.set(prompt, changed)
    this.#head = prompt
    this.#isBeforeFirst = false
  }

  revert({ turn, off }: Extract<Operation, { do: 'revert' }>): void {
    const reverted = new Set(this.#reverted)
    if (off) reverted.delete(turn)
    else reverted.add(turn)
    this.#noteReverted([turn])
    this.#reverted = reverted
  }

  move(head: string | null, isBeforeFirst: boolean): void {
    const before = this.#present()
    this.#head = head
    this.#isBeforeFirst = isBeforeFirst
    const now = new Set(this.#present())
    for (const turn of before)
      if (!now.has(turn)) for (const file of this.#changedBy.get(turn)!) this.#undone.add(file)
  }

  /** Whether an undo has something to do. The first turn's undo is one of files only. */
  get canUndo(): boolean {
    const [first, ...more] = this.path
    if (first === undefined || this.#isBeforeFirst) return false
    return more.length > 0 || (!this.#reverted.has(first) && this.#changedBy.get(first)!.size > 0)
  }

  /**
   * A turn moves in the company of older ones that are out (sem.V5), which may conflict with what
   * came later.
   */
  mayHoldUp(file: string, by: 'itself' | 'another'): boolean {
    return this.#revertedFiles.has(file) || (by === 'another' && this.#undone.has(file))
  }

  changed(turn: string, file: string): boolean {
    return this.#changedBy.get(turn)!.has(file)
  }

  #present(): string[] {
    const path = this.#isBeforeFirst ? [] : this.path
    return path.filter((turn) => !this.#reverted.has(turn))
  }

  #pathTo(turn: string | null): string[] {
    return turn === null ? [] : [...this.#pathTo(this.#parents.get(turn)!), turn]
  }

  #noteReverted(turns: readonly string[]): void {
    for (const turn of turns)
      for (const file of this.#changedBy.get(turn)!) this.#revertedFiles.add(file)
  }
}
