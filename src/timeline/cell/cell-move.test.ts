import { describe, expect, test } from 'vitest'
import { makeModel } from '../plan/plan-model.testing.ts'

// Scenarios in which a simpler rule would give another result. A person's edits elsewhere in the
// file prevent the exact cases of sem.V1 and sem.V2.

const letters = 'a b c d e f'

function start(words: string) {
  const model = makeModel({ f: words })
  model.prompt('hello')
  return model
}

describe('what a cell records', () => {
  test('[sem.V1] redo inverts what the undo did, not what the turn did', () => {
    const model = start(letters)
    model.agent('t1', { f: 'a X b c d e f' })
    model.human({ f: 'a b c d e f H' })
    model.undo()
    model.human({ f: 'a b c d e f H K' })
    model.redo()
    expect(model.words('f')).toBe('a b c d e f H K')
  })

  test('[sem.V1] an effect includes what others changed while it was out', () => {
    const model = start(letters)
    model.agent('t1', { f: 'a c d e f' })
    model.undo()
    model.human({ f: 'a c d e f H' })
    model.redo()
    model.human({ f: 'a c d e f H K' })
    model.undo()
    expect(model.words('f')).toBe('a c d e f H K')
  })

  test('[sem.V1] an effect keeps the part that a later turn hides', () => {
    const model = start('o0 o1 o2 o3 o4 o5')
    model.agent('t1', { f: 'o1 o2 o3 o4 o5 A' })
    model.agent('t2', { f: 'o1 o2 o3 o4 o5' })
    model.revert('t1')
    expect(model.words('f')).toBe('o0 o1 o2 o3 o4 o5')
    model.human({ f: 'o0 o1 H o2 o3 o4 o5' })
    model.undo(2)
    expect(model.words('f')).toBe('o0 o1 H o2 o3 o4 o5')
  })

  test('[sem.V5] a cell lifted for one turn is out again for a turn that never saw it', () => {
    const model = start('o0 o1 o2 o3 o4')
    model.agent('t1', { f: '} o0 o1 o2 o3 o4' })
    model.agent('t2', { f: 'o0 } o1 o2 o3 o4' })
    model.agent('t3', { f: 'o0 } o1 } o2 o3 o4' })
    model.revert('t2')
    expect(model.words('f')).toBe('} o0 o1 } o2 o3 o4')
    model.agent('t4', { f: 'o0 o1 } o2 o3 o4' })
    model.undo(1)
    model.undo(2)
    expect(model.words('f')).toBe('} o0 o1 o2 o3 o4')
    model.redo(1)
    model.redo(2)
    expect(model.words('f')).toBe('o0 o1 } o2 o3 o4')
  })

  test('[sem.V2] redo restores exactly what an undo around a reverted turn replaced', () => {
    const model = start('o0 o1 o2 o3 o4')
    model.agent('t1', { f: 'o0 } o1 o2 o3 o4' })
    model.human({ f: 'o0 o1 } o2 o3 o4' })
    model.agent('t2', { f: 'end o0 o1 } o2 o3 o4' })
    model.revert('t1')
    model.human({ f: 'end o0 } o1 } o2 o3 o4' })
    model.undo()
    expect(model.words('f')).not.toContain('end')
    model.redo()
    expect(model.words('f')).toBe('end o0 } o1 } o2 o3 o4')
  })
})
