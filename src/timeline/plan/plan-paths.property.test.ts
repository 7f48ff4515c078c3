import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isConflict, isDone, makeModel, type Model } from './plan-model.testing.ts'
import { numRuns } from '../data/runs.testing.ts'

// Turns and people edit one file. Then the turns' changes are reverted at once, or part by part.

const FIRST = 'a b } c d } e f } g h'
const edit = fc.record({
  kind: fc.constantFrom('insert', 'replace', 'delete'),
  at: fc.nat(20),
  word: fc.constantFrom('}', 'x', 'y', 'c'),
})
const edits = fc.array(edit, { minLength: 1, maxLength: 4 })
type Edits = readonly { kind: string; at: number; word: string }[]

function change(model: Model, list: Edits, made: () => string): string {
  const words = (model.words('f') ?? '').split(' ').filter((word) => word !== '')
  for (const { kind, at, word } of list) {
    const index = at % (words.length + 1)
    const line = word === 'x' || word === 'y' ? made() : word
    words.splice(index, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : [line]))
  }
  return words.join(' ')
}

function play(acts: readonly { who: 'agent' | 'human'; list: Edits }[]) {
  const model = makeModel({ f: FIRST })
  let made = 0
  for (const { who, list } of acts) {
    const words = change(model, list, () => `${who}${made++}`)
    if (who === 'agent') model.agent(`t${made++}`, { f: words })
    else model.human({ f: words })
  }
  return model
}

/** Reverts the parts one by one, in some order. False if that stops in a conflict. */
function partByPart(model: Model, order: readonly number[]): boolean {
  for (let step = 0; step < 40; step++) {
    const parts = model.parts('f')
    if (parts === null) return false
    if (parts.length === 0) return true
    const part = parts[order[step % order.length]! % parts.length]!
    const before = model.state()
    expect(isDone(model.revertPart('f', part))).toBe(true)
    // Undoing the operation restores everything.
    const after = model.state()
    expect(isDone(model.opUndo())).toBe(true)
    expect(model.state()).toEqual(before)
    expect(isDone(model.opUndo(model.operations.at(-1)!.id))).toBe(true)
    expect(model.files()).toEqual(after.files)
  }
  throw new Error('there is always another part')
}

const order = fc.array(fc.nat(9), { minLength: 1, maxLength: 6 })

describe('[parts.2] the parts of what turns did to a file', () => {
  test('of one turn: part by part gives the same file as all at once, whatever lines repeat', () => {
    fc.assert(
      fc.property(edits, order, (list, steps) => {
        const [whole, parts] = [play([{ who: 'agent', list }]), play([{ who: 'agent', list }])]
        if (whole.parts('f')!.length === 0) return
        expect(isDone(whole.revertFiles(['f']))).toBe(true)
        expect(whole.words('f')).toBe(FIRST)
        expect(partByPart(parts, steps)).toBe(true)
        expect(parts.words('f')).toBe(FIRST)
        // Nothing is left to undo, and redo brings nothing back.
        expect(parts.cells.map((cell) => [cell.in, cell.reverted])).toEqual(
          whole.cells.map((cell) => [cell.in, cell.reverted]),
        )
      }),
      { numRuns: numRuns(300) },
    )
  })

  test('of several turns, with edits by people between: the same file, or a conflict', () => {
    let held = 0
    const acts = fc.array(
      fc.record({
        who: fc.constantFrom('agent' as const, 'agent' as const, 'human' as const),
        list: edits,
      }),
      { minLength: 2, maxLength: 4 },
    )
    fc.assert(
      fc.property(acts, order, (list, steps) => {
        const [whole, parts] = [play(list), play(list)]
        const first = whole.parts('f')
        if (first === null || first.length === 0) return
        const all = whole.revertFiles(['f'])
        if (isConflict(all)) return
        if (!partByPart(parts, steps)) return
        held++
        expect(parts.words('f')).toBe(whole.words('f'))
      }),
      { numRuns: numRuns(400) },
    )
    expect(held).toBeGreaterThan(numRuns(400) / 10)
  })

  test('a person’s line that a newer turn deleted comes back, and no older turn claims it', () => {
    const model = makeModel({ f: FIRST })
    model.agent('t1', { f: `a b } } c d } e f } g h` })
    model.human({ f: `} a } b } } c d } e f } g h` })
    model.agent('t2', { f: `c } a b } } c d } e f } g h` })
    expect(partByPart(model, [0])).toBe(true)
    expect(model.words('f')).toBe(`} a } b } c d } e f } g h`)
  })

  test('undo and redo of the turn go around a part that was reverted', () => {
    fc.assert(
      fc.property(edits, fc.nat(9), (list, at) => {
        const model = makeModel({ f: FIRST })
        model.prompt('hello')
        model.agent('t', { f: change(model, list, () => 'made') })
        const parts = model.parts('f')!
        if (parts.length < 2) return
        model.revertPart('f', parts[at % parts.length]!)
        const now = model.words('f')
        expect(isDone(model.undo())).toBe(true)
        expect(model.words('f')).toBe(FIRST)
        expect(isDone(model.redo())).toBe(true)
        expect(model.words('f')).toBe(now)
      }),
      { numRuns: numRuns(200) },
    )
  })
})
