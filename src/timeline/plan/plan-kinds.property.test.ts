import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isConflict, isDone, makeModel, type Model } from './plan-model.testing.ts'
import { numRuns } from '../data/runs.testing.ts'
import type { TurnId } from '../data/turn.ts'
import { absent, type ProjectPath } from '../data/value.ts'

// Files are created, deleted, renamed and change their mode, and a file replaces a directory. Fewer
// properties hold here than for lines. These must.

const paths = ['f', 'g', 'd', 'd/x', 'd/y'] as ProjectPath[]
const edit = fc.record({
  kind: fc.constantFrom('write', 'write', 'delete', 'rename', 'mode'),
  path: fc.constantFrom(...paths),
  to: fc.constantFrom(...paths),
  text: fc.constantFrom('a b c d e', 'a X c d e', 'a b c d Y', 'q'),
})
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      who: fc.constantFrom('agent', 'agent', 'human'),
      edits: fc.array(edit, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      who: fc.constantFrom('undo', 'redo', 'revert', 'switch'),
      n: fc.nat(3),
    }),
  },
)
const history = fc.array(act, { minLength: 2, maxLength: 8 })
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

function play(acts: readonly Act[]): Model {
  const model = makeModel({ f: 'a b c d e', 'd/x': 'p q r' })
  model.prompt('hello')
  let made = 0
  for (const each of acts) {
    if ('edits' in each) {
      const turn = each.who === 'agent' ? model.prompt(`t${made++}`) : null
      for (const one of each.edits) carryOut(model, one, turn)
    } else {
      operate(model, each.who, each.n)
    }
  }
  return model
}

/** Does what a file system would allow, and nothing else. */
function carryOut(model: Model, { kind, path, to, text }: Edit, turn: TurnId | null): void {
  const author = turn === null ? ({ kind: 'outside' } as const) : ({ kind: 'turn', turn } as const)
  const value = model.now.get(path) ?? absent
  if (kind === 'write' && fits(model, path)) model.link(path, model.value(text), author)
  if (value.kind !== 'file') return
  if (kind === 'delete') model.link(path, absent, author)
  if (kind === 'mode') model.link(path, { ...value, mode: value.mode ^ 0o111 }, author)
  if (kind === 'rename' && (model.now.get(to) ?? absent).kind === 'absent' && fits(model, to)) {
    if (to.startsWith(`${path}/`)) return
    model.link(to, value, author, { renamedFrom: path })
  }
}

function fits(model: Model, path: string): boolean {
  return Object.keys(model.files()).every(
    (other) => !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`),
  )
}

function operate(model: Model, who: string, n: number) {
  const line = model.lineTo(model.place.turn).map(({ id }) => id)
  const tips = model.tips()
  if (who === 'undo') return model.undo(1 + (n % 2))
  if (who === 'redo') return model.redo(1 + (n % 2))
  if (who === 'revert') return model.revert(line[n % line.length]!)
  return model.switchTo(tips[n % tips.length]!)
}

function valuesOf(model: Model) {
  return [...model.now]
    .filter(([, value]) => value.kind !== 'absent')
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

describe('whole files', () => {
  test('[sem.X2] undo and redo change nothing', () => {
    let held = 0
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 3 }), (acts, n) => {
        const model = play(acts)
        const before = { values: valuesOf(model), place: model.place }
        const undone = model.undo(n)
        if (!isDone(undone) || undone.kind !== 'plan') return
        held++
        expect(isDone(model.redo(undone.turns.length))).toBe(true)
        expect({ values: valuesOf(model), place: model.place }).toEqual(before)
      }),
      { numRuns: numRuns(1500) },
    )
    expect(held).toBeGreaterThan(numRuns(300))
  })

  test('[sem.X5] undoing the newest operation restores everything', () => {
    fc.assert(
      fc.property(
        history,
        fc.constantFrom('undo', 'redo', 'revert', 'switch'),
        fc.nat(3),
        (acts, who, n) => {
          const model = play(acts)
          const before = { values: valuesOf(model), state: model.state() }
          if (!isDone(operate(model, who, n))) return
          expect(isDone(model.opUndo())).toBe(true)
          expect({ values: valuesOf(model), state: model.state() }).toEqual(before)
        },
      ),
      { numRuns: numRuns(1500) },
    )
  })

  test('[sem.M6] no operation leaves a file where a directory is needed; a conflict writes nothing', () => {
    fc.assert(
      fc.property(
        history,
        fc.constantFrom('undo', 'redo', 'revert', 'switch'),
        fc.nat(3),
        (acts, who, n) => {
          const model = play(acts)
          const before = valuesOf(model)
          if (isConflict(operate(model, who, n))) expect(valuesOf(model)).toEqual(before)
          const files = Object.keys(model.files())
          const clash = files.filter((path) => files.some((other) => other.startsWith(`${path}/`)))
          expect(clash).toEqual([])
        },
      ),
      { numRuns: numRuns(1500) },
    )
  })

  test('[sem.M7] keep-mine leaves conflicting files exactly as they are', () => {
    let held = 0
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 3 }), (acts, count) => {
        const model = play(acts)
        const plan = model.plan({ verb: 'undo', count })
        if (plan.kind !== 'plan' || plan.conflicts.length === 0) return
        const before = plan.conflicts.map((path) => model.now.get(path))
        const done = model.undo(count, { onConflict: 'keep-mine' })
        held++
        expect(isDone(done)).toBe(true)
        expect(plan.conflicts.map((path) => model.now.get(path))).toEqual(before)
      }),
      { numRuns: numRuns(1500) },
    )
    expect(held).toBeGreaterThan(numRuns(50))
  })
})
