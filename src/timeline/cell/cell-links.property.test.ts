import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { latin1 } from '../data/contents.testing.ts'
import { makeModel, type Model } from '../plan/plan-model.testing.ts'
import { numRuns } from '../data/runs.testing.ts'
import type { TurnId } from '../data/turn.ts'
import { absent, type Value } from '../data/value.ts'

// Two sessions work in one directory at the same time, while a person types.
const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      who: fc.constantFrom('A', 'A', 'B', 'B', 'H'),
      path: fc.constantFrom('f', 'g'),
      kind: fc.constantFrom('insert', 'replace', 'delete'),
      at: fc.nat(12),
    }),
  },
  { weight: 2, arbitrary: fc.record({ next: fc.constantFrom('A', 'B') }) },
)
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

interface Deleted {
  readonly by: string
  readonly line: string
}

function play(events: readonly Event[]): { model: Model; deleted: Deleted[] } {
  const model = makeModel({ f: 'a b c d e f g h i j', g: 'k l m n o p q r s t' })
  const turns: Record<string, TurnId> = { A: model.prompt('A0'), B: model.prompt('B0') }
  const deleted: Deleted[] = []
  let made = 0
  for (const each of events) {
    if ('next' in each) {
      turns[each.next] = model.prompt(`${each.next}${++made}`)
      continue
    }
    const turn = turns[each.who]
    const lines = model
      .words(each.path)!
      .split(' ')
      .filter((line) => line !== '')
    const index = each.at % (lines.length + 1)
    const removed = each.kind === 'insert' ? [] : lines.slice(index, index + 1)
    const added = each.kind === 'delete' ? [] : [`${turn ?? 'H'}_${made++}`]
    for (const line of removed) deleted.push({ by: turn ?? 'H', line })
    const words = lines.toSpliced(index, removed.length, ...added).join(' ')
    const author =
      turn === undefined ? ({ kind: 'outside' } as const) : ({ kind: 'turn', turn } as const)
    model.link(each.path, model.value(words), author)
  }
  return { model, deleted }
}

function linesIn(model: Model, values: Iterable<Value>): Set<string> {
  const lines = [...values].flatMap((value) =>
    value.kind === 'file' ? latin1(model.contents.bytes(value.content)).split('\n') : [],
  )
  return new Set(lines.filter((line) => line !== ''))
}

/** B removes a line that it wrote after A's, so nothing of B came after A. */
const TOOK_BACK: Event[] = [
  { who: 'B', path: 'f', kind: 'insert', at: 0 },
  { who: 'A', path: 'f', kind: 'insert', at: 0 },
  { who: 'B', path: 'f', kind: 'insert', at: 4 },
  { who: 'B', path: 'f', kind: 'delete', at: 4 },
]

test('[sem.A2] undoing one turn changes only that turn’s lines, however turns overlap', () => {
  let held = 0
  fc.assert(
    fc.property(fc.array(event, { minLength: 3, maxLength: 14 }), (events) => {
      const { model, deleted } = play(events)
      const had = linesIn(model, model.now.values())
      for (const turn of model.turnIds()) {
        const plan = model.plan({ verb: 'revert', turn })
        if (plan.kind !== 'plan' || plan.conflicts.length > 0) continue
        held++
        const after = new Map(model.now)
        for (const { path, post } of plan.files) after.set(path, post)
        const has = linesIn(model, after.values())
        const own = new Set(deleted.filter(({ by }) => by === turn).map(({ line }) => line))
        const lost = [...had].filter((line) => !has.has(line) && !line.startsWith(`${turn}_`))
        const revived = [...has].filter((line) => !had.has(line) && !own.has(line))
        const left = [...has].filter((line) => line.startsWith(`${turn}_`))
        expect({ lost, revived, left }).toEqual({ lost: [], revived: [], left: [] })
      }
    }),
    { numRuns: numRuns(1000), examples: [[TOOK_BACK]] },
  )
  expect(held).toBeGreaterThan(numRuns(300))
})

test('[sem.A2] a chain of links makes one cell with the effect of the chain', () => {
  const values = fc.array(fc.constantFrom(null, 'a', 'b', 'c'), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(values, (writes) => {
      const model = makeModel({ f: 'a' })
      const turn = model.prompt('t')
      const first = model.now.get('f' as never) ?? absent
      for (const words of writes) model.link('f', model.value(words), { kind: 'turn', turn })
      const now = model.now.get('f' as never) ?? absent
      const changed = JSON.stringify(first) !== JSON.stringify(now)
      const effects = model.cells.flatMap((cell) => cell.eff)
      expect(effects).toEqual(changed ? [{ before: first, after: now }] : [])
    }),
    { numRuns: numRuns(300) },
  )
})
