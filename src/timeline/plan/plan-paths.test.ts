import { describe, expect, test } from 'vitest'
import { isDone, makeModel, type Model, type Words } from './plan-model.testing.ts'
import type { ProjectPath } from '../data/index.ts'

/** A person's file: turns rename it, change it, rename it again, and it goes. */
function lostFile(): Model {
  const model = makeModel({ a: '1 2 3 4 5' })
  rename(model, 't1', 'a', 'b')
  model.agent('t2', { b: '1 2 three 4 5' })
  rename(model, 't3', 'b', 'c')
  model.agent('t4', { c: null })
  return model
}

function rename(model: Model, id: string, from: string, to: string): void {
  const words: Words = model.words(from)
  const author = { kind: 'turn', turn: model.prompt(id) } as const
  model.link(to, model.value(words), author, { renamedFrom: from as ProjectPath })
}

describe('[sem.M5] reverting the changes of a file that was renamed twice and deleted', () => {
  test('brings it back and leaves the file that a later turn made at its last path', () => {
    const model = lostFile()
    model.agent('t5', { c: 'x y z' })
    const before = model.state()
    expect(isDone(model.revertFiles(['a']))).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5', c: 'x y z' })
    expect(isDone(model.undo())).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5' })
    expect(isDone(model.redo())).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5', c: 'x y z' })
    for (let i = 0; i < 3; i++) expect(isDone(model.opUndo())).toBe(true)
    expect(model.state()).toEqual(before)
  })

  test('leaves also what a person wrote into that other file', () => {
    const model = lostFile()
    model.agent('t5', { c: 'x y z' })
    model.human({ c: 'x y mine' })
    expect(isDone(model.revertFiles(['b']))).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5', c: 'x y mine' })
    expect(isDone(model.undo(1, { onConflict: 'put-back' }))).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5' })
  })

  test('leaves a file that a later turn moved to its last path', () => {
    const model = lostFile()
    model.agent('t5', { x: 'x y z' })
    rename(model, 't6', 'x', 'c')
    expect(isDone(model.revertFiles(['a']))).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5', c: 'x y z' })
    expect(isDone(model.undo(2))).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5' })
    expect(isDone(model.redo(2))).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5', c: 'x y z' })
  })

  test('with a choice in a conflict, the other file stays', () => {
    const model = lostFile()
    model.agent('t5', { c: 'x y z' })
    model.human({ a: 'mine' })
    expect(model.revertFiles(['b'])).toMatchObject({ conflicts: ['a', 'b', 'c'] })
    expect(isDone(model.revertFiles(['b'], { onConflict: 'put-back' }))).toBe(true)
    expect(model.files()).toEqual({ a: '1 2 3 4 5', c: 'x y z' })
  })
})
