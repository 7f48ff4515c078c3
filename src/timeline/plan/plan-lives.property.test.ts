import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isConflict, isDone, makeModel, type Model, type Words } from './plan-model.testing.ts'
import type { Outcome } from './plan-result.ts'
import { numRuns } from '../data/runs.testing.ts'

// Turns create one file, delete it and create it again with few different contents, so that it
// often has the same content for another reason.

interface Turn {
  readonly to: Words
}
interface Operating {
  readonly act: 'undo' | 'redo' | 'revert' | 'off' | 'switch' | 'op-undo'
  readonly n: number
}

const turn = fc.record<Turn>({ to: fc.constantFrom(null, null, 'x', 'x', 'y') })
const operating = fc.record<Operating>({
  act: fc.constantFrom('undo', 'undo', 'redo', 'revert', 'revert', 'off', 'switch', 'op-undo'),
  n: fc.nat(5),
})
const history = fc
  .tuple(turn, turn, fc.array(fc.oneof(turn, operating), { minLength: 1, maxLength: 8 }))
  .map(([one, two, rest]) => [one, two, ...rest])

interface Change {
  readonly before: Words
  readonly after: Words
}

/**
 * The file that the turns that are in left, oldest first. A file that a turn created or deleted
 * does not depend on what was there. `undefined`: a turn changed another content than the present
 * one.
 */
function expectedFile(model: Model, changes: ReadonlyMap<string, Change>): Words | undefined {
  const ins = model.cells.filter((cell) => cell.in).toSorted((a, b) => a.seq - b.seq)
  let value: Words | undefined = null
  for (const { turn: id } of ins) {
    const { before, after } = changes.get(id)!
    if (before === null || after === null || value === before) value = after
    else value = undefined
  }
  return value
}

function operate(model: Model, { act, n }: Operating): Outcome | null {
  const line = model.lineTo(model.place.turn).map(({ id }) => id)
  const tips = model.tips()
  if (act === 'undo') return model.undo(1 + (n % 3))
  if (act === 'redo') return model.redo(1 + (n % 3))
  if (act === 'revert') return model.revert(line[n % line.length]!)
  if (act === 'switch') return model.switchTo(tips[n % tips.length]!)
  if (act === 'off') {
    const reverted = model.cells.filter((cell) => cell.reverted).map((cell) => cell.turn)
    return reverted.length === 0 ? null : model.revertOff(reverted[n % reverted.length]!)
  }
  const plan = model.plan({ verb: 'op-undo' })
  return plan.kind === 'plan' && plan.asks.length > 0 ? null : model.opUndo()
}

describe('a file that turns create, delete and create again', () => {
  test('[cell.3] [sem.X4] has the content that the turns that are in left', () => {
    let held = 0
    fc.assert(
      fc.property(history, (acts) => {
        const model = makeModel({})
        model.prompt('hello')
        const changes = new Map<string, Change>()
        for (const [at, act] of acts.entries()) {
          if ('to' in act) {
            changes.set(`t${at}`, { before: model.words('f'), after: act.to })
            model.agent(`t${at}`, { f: act.to })
            continue
          }
          const outcome = operate(model, act)
          if (isConflict(outcome)) continue
          const wanted = expectedFile(model, changes)
          if (wanted === undefined) return
          if (isDone(outcome)) held++
          expect(model.words('f')).toBe(wanted)
        }
      }),
      { numRuns: numRuns(600) },
    )
    expect(held).toBeGreaterThan(numRuns(600) / 4)
  })

  test('[cell.3] a revert leaves a file that a person made after a turn deleted it', () => {
    const model = makeModel({})
    model.prompt('hello')
    model.agent('t1', { f: 'x' })
    model.agent('t2', { f: null })
    model.human({ f: 'x' })
    expect(isDone(model.revert('t1'))).toBe(true)
    expect(model.words('f')).toBe('x')
    expect(isDone(model.revertOff('t1'))).toBe(true)
    expect(model.words('f')).toBe('x')
  })
})
