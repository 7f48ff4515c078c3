import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDone, makeModel, type Model } from './plan-model.testing.ts'
import { numRuns } from '../data/runs.testing.ts'
import type { TurnId } from '../data/turn.ts'

const letters = 'a b c d e f'

function start(): Model {
  const model = makeModel({ f: letters, g: 'p q r' })
  model.prompt('hello')
  return model
}

/** A turn's change of a path whose content could not be stored. */
function grow(model: Model, turn: TurnId): void {
  const after = { kind: 'unknown', why: 'it is larger than the size limit' } as const
  model.link('big', after, { kind: 'turn', turn })
}

describe('the position of the files', () => {
  test('[sem.M7] a kept path does not hold back the other paths of its turn', () => {
    const model = start()
    const t1 = model.agent('t1', { f: 'a X c d e f', g: 'p Q r' })
    model.human({ g: 'p QH r' })
    model.undo(1, { onConflict: 'keep-mine' })
    expect(model.files()).toEqual({ f: letters, g: 'p QH r' })
    for (const forward of [
      { verb: 'rewind', to: t1 },
      { verb: 'redo', count: 1 },
    ] as const) {
      expect(isDone(model.moveFiles(forward))).toBe(true)
      expect(model.files()).toEqual({ f: 'a X c d e f', g: 'p QH r' })
      model.moveFiles({ verb: 'undo', count: 1 }, { onConflict: 'keep-mine' })
      expect(model.files()).toEqual({ f: letters, g: 'p QH r' })
    }
  })

  test('[sem.M7] a path that cannot be moved holds back neither its turn nor the turn before', () => {
    const model = start()
    model.agent('t1', { g: 'p Q r' })
    const t2 = model.agent('t2', { f: 'a X c d e f' })
    grow(model, t2)
    model.undo()
    expect(isDone(model.moveFiles({ verb: 'rewind', to: t2 }))).toBe(true)
    expect(model.words('f')).toBe('a X c d e f')
    for (const count of [1, 1]) model.moveFiles({ verb: 'undo', count })
    expect(model.files()).toMatchObject({ f: letters, g: 'p q r' })
    model.moveFiles({ verb: 'redo', count: 2 })
    expect(model.files()).toMatchObject({ f: 'a X c d e f', g: 'p Q r' })
  })

  test('[sem.M7] a rewind brings back the files that an undo moved, whatever else stayed in', () => {
    const path = fc.constantFrom('f', 'f', 'g', 'big')
    const act = fc.record({ who: fc.constantFrom('agent', 'agent', 'human'), path, at: fc.nat(7) })
    const steps = fc.array(
      fc.record({
        act: fc.constantFrom('undo', 'undo files'),
        n: fc.nat(5),
      }),
      { maxLength: 4 },
    )
    let held = 0
    const runs = numRuns(800)
    fc.assert(
      fc.property(fc.array(act, { minLength: 2, maxLength: 7 }), steps, (acts, moves) => {
        const model = start()
        let made = 0
        for (const { who, path: at, at: place } of acts) {
          const lines = (model.words(at) ?? '').split(' ')
          const words = lines.with(place % lines.length, `${who}${made++}`).join(' ')
          if (who === 'human' && at !== 'big') model.human({ [at]: words })
          if (who !== 'agent') continue
          const turn = model.agent(`t${made}`, at === 'big' ? { g: `new${made}` } : { [at]: words })
          if (at === 'big') grow(model, turn)
        }
        const keep = { onConflict: 'keep-mine' } as const
        const { files, tip } = { files: model.files(), tip: model.place.tip! }
        for (const { act: verb, n } of moves) {
          if (verb === 'undo') model.undo(1 + (n % 3), keep)
          if (verb === 'undo files') model.moveFiles({ verb: 'undo', count: 1 + (n % 3) }, keep)
        }
        if (model.files()['f'] !== files['f'] || model.files()['g'] !== files['g']) held++
        model.moveFiles({ verb: 'rewind', to: tip }, keep)
        expect(model.files()).toEqual(files)
      }),
      { numRuns: runs },
    )
    expect(held).toBeGreaterThan(runs * 0.1)
  })
})
