import { describe, expect, test } from 'vitest'
import { isConflict, isDone, makeModel } from './plan-model.testing.ts'
import { filesStateOf } from '../cell/cell.ts'
import type { ProjectPath, Value } from '../data/value.ts'

// The worked examples of the semantics, by their numbers. Turn t1 comes after a first turn that
// changes nothing, because the conversation's first turn is special (sem.C9).

const letters = 'a b c d e f'
const f = 'f' as ProjectPath

function start(initial: Parameters<typeof makeModel>[0]) {
  const model = makeModel(initial)
  model.prompt('hello')
  return model
}

describe('worked examples', () => {
  test('[sem.V1] 1: undo and redo keep what a person changed elsewhere', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.human({ f: 'a X c d H f' })
    model.undo()
    expect(model.words('f')).toBe('a b c d H f')
    model.redo()
    expect(model.words('f')).toBe('a X c d H f')
  })

  test('[sem.M7] 2: a person changed the same line: conflict, nothing written', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.human({ f: 'a XH c d e f' })
    const before = model.state()
    const plan = model.undo()
    expect(plan).toMatchObject({
      conflicts: ['f'],
      cells: [],
      latestMoves: [],
      files: [
        {
          verb: 'conflict',
          why: 'overlap',
          choices: ['keep-mine', 'put-back', 'mark'],
          regions: [{ base: [2, 2], ours: [2, 2], theirs: [2, 2] }],
        },
      ],
    })
    expect(model.state()).toEqual(before)
  })

  test('[sem.V1] 3: a line a person deleted stays deleted', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X b c d e f' })
    model.human({ f: letters })
    expect(model.undo()).toMatchObject({ files: [{ verb: 'skip', why: 'already-so' }] })
    model.redo()
    expect(model.words('f')).toBe(letters)
  })

  test('[sem.V1] 4: a file a person brought back is not deleted by redo', () => {
    const model = start({ f: 'a b' })
    model.agent('t1', { f: null })
    model.human({ f: 'a b' })
    model.undo()
    expect(model.words('f')).toBe('a b')
    model.redo()
    expect(model.words('f')).toBe('a b')
  })

  test('[sem.V1] 5: a line that a person deleted too is not revived by the last undo', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a c d e f' })
    model.undo()
    model.human({ f: 'a c d e f' })
    model.redo()
    expect(model.words('f')).toBe('a c d e f')
    model.undo()
    expect(model.words('f')).toBe('a c d e f')
  })

  test('[sem.V1][sem.X2] 5: what a person brought back from a stash stays over redo and undo', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.human({ f: letters })
    model.undo()
    model.human({ f: 'a X c d e f' })
    model.redo()
    const asItIs = [{ verb: 'skip', why: 'already-so' }]
    expect(model.undo()).toMatchObject({ files: asItIs })
    expect(model.words('f')).toBe('a X c d e f')
    expect(model.redo()).toMatchObject({ files: asItIs })
  })

  test('[sem.V1] 6: redo over a line a person changed meanwhile conflicts', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.undo()
    model.human({ f: 'a H c d e f' })
    expect(isConflict(model.redo())).toBe(true)
    expect(model.words('f')).toBe('a H c d e f')
  })

  test('[sem.V5] 7: undoing a turn that deleted a reverted line does not bring it back', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X b c d e f' })
    model.agent('t2', { f: letters })
    model.revert('t1')
    model.undo()
    expect(model.words('f')).toBe(letters)
  })

  test('[sem.V7] 8: a reverted turn stays out over undo and redo, until the revert is turned off', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X b c d e f' })
    model.agent('t2', { f: 'a X b c d Y f' })
    model.revert('t1')
    expect(model.words('f')).toBe('a b c d Y f')
    model.undo()
    expect(model.words('f')).toBe(letters)
    model.redo()
    expect(model.words('f')).toBe('a b c d Y f')
    model.revertOff('t1')
    expect(model.words('f')).toBe('a X b c d Y f')
  })

  test('[sem.V6] 9: a switch moves one line out and the other in, and keeps other edits', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X b c d e f' })
    model.undo()
    model.human({ f: 'a b c d H f' })
    model.agent('u1', { f: 'a b c d H f Z' })
    model.switchTo('t1')
    expect(model.words('f')).toBe('a X b c d H f')
    model.switchTo('u1')
    expect(model.words('f')).toBe('a b c d H f Z')
  })

  test('[sem.M7] 10: a file that the agent created and a person edited is not deleted', () => {
    const model = start({})
    model.agent('t1', { f: 'x y' })
    model.human({ f: 'x y H' })
    expect(model.undo()).toMatchObject({
      files: [{ verb: 'conflict', why: 'changed-here', choices: ['keep-mine', 'put-back'] }],
    })
    expect(isDone(model.undo(1, { onConflict: 'keep-mine' }))).toBe(true)
    expect(model.words('f')).toBe('x y H')
    expect(model.cellOf('t1', 'f').in).toBe(true)
  })

  test('[sem.M7] 11: put-back writes the old file, and the plan keeps the replaced content', () => {
    const model = start({ f: 'a b' })
    model.agent('t1', { f: null })
    model.human({ f: 'H' })
    expect(model.undo()).toMatchObject({ files: [{ verb: 'conflict', why: 'made-twice' }] })
    expect(model.undo(1, { choices: new Map([[f, 'put-back']]) })).toMatchObject({
      files: [{ verb: 'restore', pre: model.value('H'), chosen: 'put-back' }],
    })
    expect(model.words('f')).toBe('a b')
  })

  test('[sem.M7] 12: keep-mine leaves one path out of undo and of the redo after it', () => {
    const model = start({ f: letters, g: 'p q r' })
    model.agent('t1', { f: 'a X c d e f', g: 'p Q r' })
    model.human({ f: 'a XH c d e f' })
    model.undo(1, { onConflict: 'keep-mine' })
    expect(model.files()).toEqual({ f: 'a XH c d e f', g: 'p q r' })
    expect(filesStateOf(model.cells)).toBe('partly')
    model.redo()
    expect(model.files()).toEqual({ f: 'a XH c d e f', g: 'p Q r' })
  })

  test('[sem.V3] 13: a second revert has nothing to do', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.agent('t2', { f: 'a X c d Y f' })
    expect(isDone(model.revert('t1'))).toBe(true)
    model.human({ f: 'a bH c d Y f' })
    expect(model.revert('t1')).toMatchObject({ kind: 'nothing-to-do', why: 'already-there' })
  })

  test('[sem.M5] 14: a renamed file goes back with what a person wrote into it', () => {
    const model = start({ 'src/a': letters })
    const turn = model.prompt('t1')
    const old = 'src/a' as ProjectPath
    model.link('lib/a', model.value(letters), { kind: 'turn', turn }, { renamedFrom: old })
    model.human({ 'lib/a': 'a b c d e H', 'lib/n': 'n' })
    model.undo()
    expect(model.files()).toEqual({ 'src/a': 'a b c d e H', 'lib/n': 'n' })
    model.redo()
    expect(model.files()).toEqual({ 'lib/a': 'a b c d e H', 'lib/n': 'n' })
  })

  test('[sem.M5] 15: an occupied old path is a conflict of the pair', () => {
    const model = start({ 'src/a': letters })
    const turn = model.prompt('t1')
    const old = 'src/a' as ProjectPath
    model.link('lib/a', model.value(letters), { kind: 'turn', turn }, { renamedFrom: old })
    model.human({ 'src/a': letters })
    expect(model.undo()).toMatchObject({
      conflicts: ['lib/a', 'src/a'],
      files: [
        { path: 'lib/a', verb: 'conflict', why: 'old-path-occupied', with: ['src/a'] },
        { path: 'src/a', verb: 'conflict', why: 'old-path-occupied', with: ['lib/a'] },
      ],
    })
    model.undo(1, { choices: new Map([[old, 'keep-mine']]) })
    expect(model.files()).toEqual({ 'lib/a': letters, 'src/a': letters })
  })

  test('[sem.M6] 16: a file cannot come back where a directory holds another file', () => {
    const model = start({ cfg: 'x' })
    model.agent('t1', { cfg: null, 'cfg/x': 'x' })
    model.human({ 'cfg/mine': 'm' })
    expect(model.undo()).toMatchObject({
      conflicts: ['cfg'],
      files: [
        { path: 'cfg', verb: 'conflict', why: 'file-is-parent', with: ['cfg/mine'] },
        { path: 'cfg/x', verb: 'delete' },
      ],
    })
    expect(model.files()).toEqual({ 'cfg/mine': 'm', 'cfg/x': 'x' })
  })

  test('[sem.A7] 17: a file that left the scope is deleted neither by the turn nor by its redo', () => {
    const model = start({ 'dist/o': 'o', '.gitignore': 'node_modules' })
    model.agent('t1', { '.gitignore': 'node_modules dist/' })
    expect(model.undo()).toMatchObject({ files: [{ path: '.gitignore' }] })
    expect(model.redo()).toMatchObject({ files: [{ path: '.gitignore' }] })
    expect(model.words('dist/o')).toBe('o')
  })

  test('[sem.A5] 19: a change that either of two sessions may have made is listed and stays, unless included', () => {
    const model = start({ f: letters, g: 'p q r' })
    const turn = model.prompt('t1')
    model.write(turn, { f: 'a X c d e f' })
    model.link('g', model.value('p Q r'), { kind: 'shared', turn })
    expect(model.plan({ verb: 'undo', count: 1 })).toMatchObject({
      files: [{ path: 'f' }],
      unsure: [{ path: 'g', turn: 't1', doubt: 'shared' }],
      asks: [{ code: 'unsure-links', paths: ['g'] }],
    })
    model.undo(1, { includeUnsure: true })
    expect(model.files()).toEqual({ f: letters, g: 'p q r' })
    model.redo()
    expect(model.files()).toEqual({ f: 'a X c d e f', g: 'p Q r' })
  })

  test('[sem.A5] unsure changes that an undo left can be included afterwards, without another undo', () => {
    const model = start({ f: letters, g: 'p q r' })
    model.agent('t1', { f: 'a X c d e f' })
    const turn = model.prompt('t2')
    model.write(turn, { f: 'a X c d Y f' })
    model.link('g', model.value('p Q r'), { kind: 'unsure', turn })
    model.undo()
    expect(model.files()).toEqual({ f: 'a X c d e f', g: 'p Q r' })
    expect(model.undo(1, { includeUnsure: true })).toMatchObject({
      files: [{ path: 'g', verb: 'restore' }],
      turns: [turn],
    })
    expect(model.files()).toEqual({ f: 'a X c d e f', g: 'p q r' })
    model.redo()
    expect(model.files()).toEqual({ f: 'a X c d Y f', g: 'p Q r' })
  })

  test('[sem.A5] lines that a background command added to its turn’s file are not a conflict', () => {
    const model = start({ f: letters })
    const turn = model.prompt('t1')
    model.write(turn, { f: 'a X c d e f', log: 'first' })
    model.link('log', model.value('first second'), { kind: 'unsure', turn })
    expect(model.plan({ verb: 'undo', count: 1 })).toMatchObject({
      files: [{ path: 'f', verb: 'restore' }],
      conflicts: [],
      unsure: [{ path: 'log', turn: 't1', doubt: 'unsure' }],
    })
    expect(model.plan({ verb: 'undo', count: 1 }, { onConflict: 'put-back' })).toMatchObject({
      files: [{ path: 'f' }, { path: 'log', verb: 'delete' }],
    })
    model.undo(1, { includeUnsure: true })
    expect(model.files()).toEqual({ f: letters })
  })

  test('[sem.A4] 20: changes that a background agent made after the undo can be undone', () => {
    const model = start({ f: letters })
    const turn = model.agent('t5', { f: 'a X c d e f' })
    model.undo()
    model.write(turn, { f: 'a b c d Y f' })
    expect(filesStateOf(model.cells)).toBe('partly')
    expect(model.cells.map((cell) => cell.in)).toEqual([false, true])
    model.revert('t5')
    expect(model.words('f')).toBe(letters)
    expect(filesStateOf(model.cells)).toBe('reverted')
  })

  test('[sem.O5] 21: asks before undoing a turn made on another git branch', () => {
    const model = start({ f: letters })
    model.gitBranch = 'main'
    model.agent('t3', { f: 'a X c d e f' })
    model.gitBranch = 'feature'
    expect(model.plan({ verb: 'undo', count: 1 })).toMatchObject({
      asks: [{ code: 'other-git-branch', turns: ['t3'] }],
    })
    model.gitBranch = 'main'
    expect(model.plan({ verb: 'undo', count: 1 })).toMatchObject({ asks: [] })
  })

  test('[sem.V3] 24: a change that another session undid is not undone twice', () => {
    const model = start({ f: letters })
    model.agent('t3', { f: 'a X c d e f' })
    const fork = model.place
    model.agent('t4', { f: 'a X c d Y f' })
    const first = model.place
    // The forked session is at turn 3 and undoes it. The first session is at turn 4.
    model.place = fork
    model.undo()
    expect(model.words('f')).toBe('a b c d Y f')
    model.place = first
    expect(filesStateOf(model.cells.filter((cell) => cell.turn === 't3'))).toBe('out')
    model.undo(2)
    expect(model.words('f')).toBe(letters)
  })

  test('[sem.O3] 25: an older operation is refused while a later one moved the head', () => {
    const model = start({ f: letters })
    model.agent('t4', { f: 'a X c d e f' })
    model.agent('t5', { f: 'a X c d Y f' })
    const before = model.state()
    model.undo()
    model.undo()
    expect(model.opUndo('op1')).toEqual({
      kind: 'refused',
      verb: 'op-undo',
      why: 'later-operations',
      operations: ['op2'],
      notCovered: [],
    })
    model.opUndo()
    model.opUndo()
    expect(model.state()).toEqual(before)
  })
})

test('[sem.A6] a cell with an unknown side is never inverted and never deletes', () => {
  const unknown: Value = { kind: 'unknown', why: 'from before the install' }
  const model = start({ f: letters, g: 'p q r' })
  const turn = model.prompt('t1')
  model.link('f', model.value('a X c d e f'), { kind: 'turn', turn }, { before: unknown })
  expect(model.undo()).toMatchObject({
    kind: 'refused',
    why: 'not-invertible',
    notCovered: [{ path: 'f', turns: ['t1'], why: 'unknown-before' }],
  })
  model.write(turn, { g: 'p Q r' })
  expect(model.undo()).toMatchObject({ files: [{ path: 'g' }], notCovered: [{ path: 'f' }] })
  expect(model.files()).toEqual({ f: 'a X c d e f', g: 'p q r' })
})
