import { describe, expect, test } from 'vitest'
import { Failure } from '#failure'
import { addLink } from '../cell/cell-links.ts'
import type { DirectoryChange } from '../cell/cell.ts'
import { isDone, makeModel } from './plan-model.testing.ts'
import { isBeforeFirst } from './plan-route.ts'
import { makePlan, readsOf } from './plan.ts'
import type { TurnId } from '../data/turn.ts'
import { absent, type ProjectPath, type Value } from '../data/value.ts'
import { FOLDS_NOTHING } from '../data/name-folding.ts'

const letters = 'a b c d e f'
const at = (path: string) => path as ProjectPath
const turn = (id: string) => id as TurnId

function start(initial: Parameters<typeof makeModel>[0]) {
  const model = makeModel(initial)
  model.prompt('hello')
  return model
}

describe('undo, redo and rewind', () => {
  test('[F5] a file plan has the lines before and after, and the number of changes', () => {
    const model = start({ f: letters })
    const t1 = model.agent('t1', { f: 'a X c d e f' })
    model.human({ f: 'a X c d e f H' })
    model.write(t1, { f: 'a X Y c d e f H' })
    expect(model.undo()).toMatchObject({
      verb: 'undo',
      from: { turn: 't1' },
      to: { turn: 'hello', beforeFirst: false, tip: 't1' },
      turns: ['t1'],
      files: [
        {
          path: 'f',
          verb: 'merge',
          added: 1,
          removed: 2,
          linesNow: 8,
          linesAfter: 7,
          timesChanged: 2,
        },
      ],
      warnings: [{ code: 'merged', path: 'f' }],
    })
    expect(model.words('f')).toBe('a b c d e f H')
  })

  test('[sem.A9] a file outside of the project that changed since is a conflict, and never merged', () => {
    const model = start({ '/out/f': letters, '/out/g': letters })
    model.agent('t1', { '/out/f': 'a X c d e f', '/out/g': 'a X c d e f' })
    model.human({ '/out/f': 'a X c d e f H' })
    expect(model.undo()).toMatchObject({ conflicts: ['/out/f'] })
    expect(model.undo(1, { onConflict: 'keep-mine' })).toMatchObject({ conflicts: [] })
    expect([model.words('/out/f'), model.words('/out/g')]).toEqual(['a X c d e f H', letters])
  })

  test('[sem.V4] of turns that changed the same lines the newest goes first and comes last', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.agent('t2', { f: 'a Y c d e f' })
    model.agent('t3', { f: 'a Z c d e f' })
    model.human({ f: 'H a Z c d e f' })
    expect(model.undo(3)).toMatchObject({ conflicts: [], turns: ['t3', 't2', 't1'] })
    expect(model.words('f')).toBe(`H ${letters}`)
    model.human({ f: `H ${letters} H` })
    expect(model.redo(3)).toMatchObject({ conflicts: [], turns: ['t1', 't2', 't3'] })
    expect(model.words('f')).toBe('H a Z c d e f H')
  })

  test('[sem.C9] the first turn’s files are undone, the conversation keeps it, and redo starts with it', () => {
    const model = makeModel({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.agent('t2', { f: 'a X c d Y f' })
    expect(model.undo(5)).toMatchObject({
      turns: ['t2', 't1'],
      to: { turn: 't1', beforeFirst: true, tip: 't2' },
    })
    expect(model.words('f')).toBe(letters)
    expect(model.undo()).toMatchObject({ kind: 'nothing-to-do', why: 'at-start' })
    expect(model.redo()).toMatchObject({ turns: ['t1'], to: { turn: 't1', beforeFirst: false } })
    expect(model.words('f')).toBe('a X c d e f')
    model.redo()
    expect(model.words('f')).toBe('a X c d Y f')
    expect(model.redo()).toMatchObject({ kind: 'nothing-to-do', why: 'at-tip' })
  })

  test('[sem.C9] a plan in conflict counts the first turn too', () => {
    const model = makeModel({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.agent('t2', { g: 'x' })
    model.human({ f: 'a H c d e f' })
    expect(model.undo(2)).toMatchObject({
      conflicts: ['f'],
      turns: ['t2', 't1'],
      to: { beforeFirst: true },
    })
  })

  test('[sem.C9] a prompt after that continues without the first turn’s files', () => {
    const model = makeModel({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.run({ verb: 'rewind', to: null })
    model.agent('u2', { f: 'a b c d Y f' })
    model.undo()
    expect(model.words('f')).toBe(letters)
    model.redo()
    expect(model.words('f')).toBe('a b c d Y f')
  })

  test('[sem.C3] files that were out at a prompt stay out, even if the revert of their turn is undone', () => {
    const model = makeModel({})
    model.agent('t1', { f: 'x' })
    model.undo()
    model.revert('t1')
    model.prompt('t2')
    expect(isDone(model.opUndo())).toBe(true)
    expect(model.cellOf('t1', 'f')).toMatchObject({ in: false, reverted: true })
    model.revertOff('t1')
    expect(model.words('f')).toBe('x')
  })

  test('[sem.V5] a line that a later turn deleted stays out, though people changed lines near the reverted turn', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'X a b Y c d e f' })
    model.human({ f: 'X a H b Y c d e f' })
    model.agent('t2', { f: 'a H b Y c d e f' })
    model.revert('t1')
    model.human({ f: 'a I H b c d e f' })
    expect(isDone(model.undo(2))).toBe(true)
    expect(model.files()).toEqual({ f: 'a I H b c d e f' })
  })

  test('[sem.V5] a file that two turns created equally stays until both are out', () => {
    const model = start({})
    model.agent('t1', { f: 'x' })
    model.revert('t1')
    model.agent('t2', { f: 'x' })
    model.revertOff('t1')
    model.undo()
    expect(model.words('f')).toBe('x')
    model.undo()
    expect(model.words('f')).toBe(null)
    model.redo()
    expect(model.words('f')).toBe('x')
    model.redo()
    model.revert('t1')
    expect(model.words('f')).toBe('x')
    model.undo()
    expect(model.words('f')).toBe(null)
    model.revertOff('t1')
    expect(model.words('f')).toBe('x')
  })

  test('[sem.V7] no warning names a turn whose revert is turned off', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    expect(model.revert('t1')).toMatchObject({ warnings: [] })
    expect(model.revertOff('t1')).toMatchObject({ warnings: [] })
  })

  test('[sem.V1] a file that a person created with a turn’s content stays theirs', () => {
    const model = start({})
    model.agent('t1', { f: 'x' })
    model.undo()
    model.human({ f: 'x' })
    model.redo()
    model.undo()
    expect(model.words('f')).toBe('x')
  })

  test('[sem.C9] the newest operation records the position of the files, until the next prompt', () => {
    const model = makeModel({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.undo()
    const newest = model.operations.at(-1)!
    const known = { line: model.lineTo(turn('t1')), head: turn('t1') }
    expect(isBeforeFirst(newest, known)).toBe(true)
    expect(isBeforeFirst(null, known)).toBe(false)
    model.prompt('u2')
    const later = { ...known, line: model.lineTo(turn('u2')) }
    expect(isBeforeFirst(newest, later)).toBe(false)
  })

  test('[B2] rewind is an undo or a redo, and before a turn means after the previous one', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.agent('t2', { f: 'a X c d Y f' })
    expect(model.run({ verb: 'rewind', before: turn('t1') })).toMatchObject({
      turns: ['t2', 't1'],
      to: { turn: 'hello' },
    })
    expect(model.run({ verb: 'rewind', to: turn('t2') })).toMatchObject({ turns: ['t1', 't2'] })
    expect(model.words('f')).toBe('a X c d Y f')
    expect(model.run({ verb: 'rewind', to: turn('t2') })).toMatchObject({
      kind: 'nothing-to-do',
      why: 'already-there',
    })
    expect(model.run({ verb: 'rewind', to: turn('nobody') })).toMatchObject({
      kind: 'refused',
      why: 'unknown-turn',
    })
  })

  test('[sem.V6] turns without files count, and move the head', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.prompt('t2')
    expect(model.undo()).toMatchObject({ files: [], to: { turn: 't1' }, turns: ['t2'] })
  })

  test('[sem.V6] a switch can end at a turn in the middle of the other line', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.agent('t2', { f: 'a X c d Y f' })
    model.undo(2)
    model.agent('u1', { f: 'U b c d e f' })
    expect(model.switchTo('t2', 't1')).toMatchObject({
      turns: ['u1', 't1'],
      to: { turn: 't1', tip: 't2' },
    })
    expect(model.words('f')).toBe('a X c d e f')
    model.redo()
    expect(model.words('f')).toBe('a X c d Y f')
  })

  test('[B10] one conflict stops the whole operation, including files without one', () => {
    const model = start({ f: letters, g: 'p q r' })
    model.agent('t1', { f: 'a X c d e f', g: 'p Q r' })
    model.human({ f: 'a XH c d e f' })
    expect(model.undo()).toMatchObject({
      conflicts: ['f'],
      files: [
        { path: 'f', verb: 'conflict' },
        { path: 'g', verb: 'restore' },
      ],
      cells: [],
      latestMoves: [],
    })
    expect(model.words('g')).toBe('p Q r')
  })

  test('[plan.1] a plan that needs a path that was not read fails instead of guessing', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    const world = model.world({ verb: 'undo', count: 1 })
    expect(readsOf(world, { verb: 'undo', count: 1 })).toEqual({
      paths: ['f'],
      contents: model.cells[0]!.eff.flatMap(({ before, after }) =>
        [before, after].map((value) => (value as { content: string }).content),
      ),
    })
    expect(() => makePlan({ ...world, now: new Map() }, { verb: 'undo', count: 1 })).toThrow(
      Failure,
    )
  })
})

describe('revert', () => {
  test('[sem.V7] an undone turn that is reverted does not come back with redo', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.undo()
    expect(model.revert('t1')).toMatchObject({ kind: 'plan', files: [] })
    expect(model.revert('t1')).toMatchObject({ kind: 'nothing-to-do' })
    expect(model.redo()).toMatchObject({
      files: [],
      warnings: [{ code: 'reverted-turns-passed', turns: ['t1'] }],
    })
    expect(model.words('f')).toBe(letters)
  })

  test('[sem.V7] revert off of an undone turn brings nothing in before its redo', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.revert('t1')
    model.undo()
    expect(model.revertOff('t1')).toMatchObject({ files: [] })
    expect(model.words('f')).toBe(letters)
    model.redo()
    expect(model.words('f')).toBe('a X c d e f')
    expect(model.revertOff('t1')).toMatchObject({ kind: 'nothing-to-do' })
  })
})

describe('conflicts', () => {
  test('[sem.M7] mark writes both versions with the given labels', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.human({ f: 'a H c d e f' })
    const labels = { ours: 'yours', theirs: 'turn 3' }
    expect(model.undo(1, { onConflict: 'mark', labels })).toMatchObject({
      files: [{ verb: 'merge', chosen: 'mark' }],
      warnings: [{ code: 'marked', path: 'f' }],
    })
    expect(model.words('f')).toBe('a <<<<<<< yours H ======= b >>>>>>> turn 3 c d e f')
    model.redo()
    expect(model.words('f')).toBe('a H c d e f')
  })

  test('[sem.M7] [sem.V2] each place in conflict can be chosen by itself, and redo brings everything back', () => {
    const model = start({ f: 'a b c d e f g h i' })
    model.agent('t1', { f: 'a X c d Y f g Z i' })
    model.human({ f: 'a H c d J f g Z i' })
    const f = at('f')
    expect(model.undo()).toMatchObject({
      files: [{ verb: 'conflict', regions: [{ ours: [2, 2] }, { ours: [5, 5] }] }],
    })
    // A wrong number of choices resolves nothing.
    expect(model.undo(1, { choices: new Map([[f, ['mark' as const]]]) })).toMatchObject({
      conflicts: ['f'],
    })
    const mixed = new Map([[f, ['keep-mine', 'put-back'] as const]])
    expect(model.undo(1, { choices: mixed })).toMatchObject({
      files: [{ verb: 'restore', chosen: 'put-back' }],
    })
    expect(model.words('f')).toBe('a H c d e f g h i')
    model.redo()
    expect(model.words('f')).toBe('a H c d J f g Z i')
    // A choice is for one operation.
    expect(model.undo()).toMatchObject({ conflicts: ['f'] })
    const marked = new Map([[f, ['put-back', 'mark'] as const]])
    expect(model.undo(1, { choices: marked })).toMatchObject({ files: [{ chosen: 'mark' }] })
    expect(model.words('f')).toBe('a b c d <<<<<<< now J ======= e >>>>>>> restored f g h i')
    model.run({ verb: 'op-undo' })
    expect(model.words('f')).toBe('a H c d J f g Z i')
  })

  test('[sem.M7] put-back applies to one operation: the next undo asks again', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.human({ f: 'a XH c d e f' })
    model.undo(1, { onConflict: 'put-back' })
    expect(model.words('f')).toBe(letters)
    model.redo()
    expect(model.words('f')).toBe('a XH c d e f')
    expect(model.undo()).toMatchObject({ conflicts: ['f'] })
    expect(isDone(model.undo(1, { onConflict: 'keep-mine' }))).toBe(true)
    expect(model.words('f')).toBe('a XH c d e f')
  })

  test('[sem.K3] a missing content makes its cell unknown, and other cells move', () => {
    const model = start({ f: letters, g: 'p q r' })
    model.agent('t1', { f: 'a X c d e f', g: 'p Q r' })
    const { before } = model.cellOf('t1', 'f').eff[0]!
    if (before.kind === 'file') model.contents.drop(before.content)
    expect(model.undo()).toMatchObject({
      files: [{ path: 'g', verb: 'restore' }],
      notCovered: [
        { path: 'f', why: 'unknown-before', because: 'Retake no longer has its content' },
      ],
    })
    expect(model.files()).toEqual({ f: 'a X c d e f', g: 'p q r' })
  })

  test('[sem.A6] the content before a file grew past the limit is reported as kept', () => {
    const model = start({ f: letters })
    const large: Value = { kind: 'unknown', why: 'it is larger than the size limit' }
    model.link('f', large, { kind: 'turn', turn: model.prompt('t1') })
    const found = { path: 'f', why: 'unknown-before', because: large.why, isBeforeKept: true }
    expect(model.undo()).toMatchObject({ kind: 'refused', notCovered: [found] })
  })

  test('[sem.A5] a file that took the place of a pipe is not listed as left by the redo', () => {
    const model = start({ f: letters })
    const pipe: Value = { kind: 'unknown', why: 'it is a pipe' }
    const turn = model.agent('t1', { f: 'a X' })
    model.link('p', model.value('plain'), { kind: 'turn', turn }, { before: pipe })
    expect(model.undo()).toMatchObject({ notCovered: [{ path: 'p' }] })
    expect(model.redo()).toMatchObject({ kind: 'plan', notCovered: [] })
  })

  test('[sem.A5] a file that is gone, as the plan wants it, is not listed as left', () => {
    const model = start({ f: letters })
    const large: Value = { kind: 'unknown', why: 'it is larger than the limit for one file' }
    const write = (value: Value, id: string, words: string) => {
      model.link('big', value, { kind: 'turn', turn: model.agent(id, { f: words }) })
    }
    write(large, 't1', 'a X')
    write(absent, 't2', 'a X Y')
    const left = (outcome: object) => ('notCovered' in outcome ? outcome.notCovered : null)
    expect(left(model.undo())).toMatchObject([{ path: 'big' }])
    expect(left(model.undo())).toEqual([])
    expect(left(model.plan({ verb: 'redo', count: 1 }))).toMatchObject([{ path: 'big' }])
    expect(left(model.redo('all'))).toEqual([])
  })

  test('[sem.A5] a redo names the files that the undo left, with those that hold them back', () => {
    const model = start({ f: letters, g: letters })
    const pipe: Value = { kind: 'unknown', why: 'it is no file' }
    const first = { kind: 'turn' as const, turn: model.prompt('t1') }
    model.link('g', model.value('a X c d e f'), first)
    model.link('f', model.value('a X c d e f'), first)
    const second = { kind: 'turn' as const, turn: model.prompt('t2') }
    model.link('p', pipe, second)
    model.link('g', pipe, second)
    const left = (...turns: string[]) => ({ why: 'unknown-before', because: pipe.why, turns })
    model.undo(2)
    expect(model.files()).toMatchObject({ f: letters })
    expect(model.redo()).toMatchObject({ kind: 'plan', notCovered: [{ path: 'g', ...left('t1') }] })
    // The turn has nothing else to bring, and its redo is not refused.
    expect(model.redo()).toMatchObject({
      kind: 'plan',
      files: [],
      notCovered: [
        { path: 'p', ...left('t2') },
        { path: 'g', ...left('t2') },
      ],
    })
  })

  test('[sem.M7] put-back is proposed if only white space was changed', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.link('f', model.value('a \tX c d e f'), { kind: 'outside' })
    expect(model.undo()).toMatchObject({
      files: [{ verb: 'conflict', proposed: 'put-back' }],
      warnings: [{ code: 'only-whitespace', path: 'f' }],
    })
  })

  test('[sem.M5] put-back moves a renamed file over the file at its old path', () => {
    const model = start({ 'src/a': letters })
    const author = { kind: 'turn' as const, turn: model.prompt('t1') }
    model.link('lib/a', model.value(letters), author, { renamedFrom: at('src/a') })
    model.human({ 'src/a': 'mine' })
    const both = [{ verb: 'conflict', why: 'old-path-occupied' }, { verb: 'conflict' }]
    expect(model.undo()).toMatchObject({ files: both, conflicts: ['lib/a', 'src/a'] })
    expect(model.files()).toEqual({ 'lib/a': letters, 'src/a': 'mine' })
    model.undo(1, { choices: new Map([[at('lib/a'), 'put-back']]) })
    expect(model.files()).toEqual({ 'src/a': letters })
    model.redo()
    expect(model.files()).toEqual({ 'lib/a': letters, 'src/a': 'mine' })
  })

  test('[sem.M5] a file that a person moved back by hand is not moved again', () => {
    const model = start({ 'src/a': letters })
    const author = { kind: 'turn' as const, turn: model.prompt('t1') }
    model.link('lib/a', model.value('a b c d e Z'), author, { renamedFrom: at('src/a') })
    model.human({ 'lib/a': null, 'src/a': 'H a b c d e Z' })
    model.undo()
    expect(model.files()).toEqual({ 'src/a': `H ${letters}` })
  })

  test('[sem.M6] two names that differ only in case cannot both be created', () => {
    const model = start({ Readme: letters })
    model.agent('t1', { Readme: null })
    model.human({ README: 'mine' })
    expect(model.undo()).toMatchObject({
      conflicts: ['Readme'],
      files: [{ path: 'Readme', why: 'case-twin', with: ['README'], choices: ['keep-mine'] }],
    })
    expect(model.undo(1, { onConflict: 'put-back' })).toMatchObject({ conflicts: ['Readme'] })
    expect(isDone(model.undo(1, { onConflict: 'keep-mine' }))).toBe(true)
  })

  test('[sem.M6] a case-sensitive volume keeps both names', () => {
    const model = start({ Readme: letters })
    model.folding = FOLDS_NOTHING
    model.agent('t1', { Readme: null, a: 'x' })
    model.human({ README: 'mine', 'A/b': 'mine' })
    expect(isDone(model.undo())).toBe(true)
    expect(model.files()).toEqual({ Readme: letters, README: 'mine', 'A/b': 'mine' })
    expect(isDone(model.redo())).toBe(true)
    expect(model.files()).toEqual({ a: 'x', README: 'mine', 'A/b': 'mine' })
  })

  test('[sem.M6] a name does not collide with itself when only its case changes', () => {
    const model = start({ Readme: letters })
    const author = { kind: 'turn' as const, turn: model.prompt('t1') }
    model.link('README', model.value(letters), author, { renamedFrom: at('Readme') })
    expect(isDone(model.undo())).toBe(true)
    expect(model.files()).toEqual({ Readme: letters })
  })

  test('[sem.M6] a kept file can block a planned one', () => {
    const model = start({ cfg: 'x' })
    model.agent('t1', { cfg: null, 'cfg/x': 'x' })
    model.human({ 'cfg/x': 'x H' })
    const choices = new Map([[at('cfg/x'), 'keep-mine' as const]])
    expect(model.undo(1, { choices })).toMatchObject({
      conflicts: ['cfg'],
      files: [
        { path: 'cfg', why: 'file-is-parent', with: ['cfg/x'] },
        { path: 'cfg/x', verb: 'skip', why: 'kept-mine' },
      ],
    })
  })

  test('[sem.M6] empty directories that the turn made are listed, deepest first', () => {
    const model = start({})
    const author = { kind: 'turn' as const, turn: model.prompt('t1') }
    const madeDirectories = [at('new'), at('new/deep')]
    model.link('new/deep/x', model.value('x'), author, { madeDirectories })
    const request = { verb: 'undo' as const, count: 1 }
    expect(model.plan(request)).toMatchObject({ emptied: ['new/deep', 'new'] })
    model.human({ 'new/mine': 'm' })
    expect(model.plan(request)).toMatchObject({ emptied: ['new/deep'] })
  })

  test('[sem.M6] an empty directory comes and goes with its turn; a later turn’s change takes precedence', () => {
    const model = start({})
    const made = { change: 'made' as const, mode: 0o711 }
    const gone = { change: 'gone' as const, mode: 0o750 }
    const note = (turn: TurnId, path: string, directory: DirectoryChange) => {
      const author = { kind: 'turn' as const, turn }
      const link = { before: absent, after: absent, renamedFrom: null, author, directory }
      model.cells = addLink(model.cells, { ...link, seq: ++model.seq, path: at(path) })
    }
    const t1 = model.prompt('t1')
    note(t1, 'd', made)
    note(t1, 'e', gone)
    note(t1, 'both', made)
    note(t1, 'both', { ...made, change: 'gone' })
    const t2 = model.prompt('t2')
    note(t2, 'd', { ...made, change: 'gone' })
    expect(model.cells).toHaveLength(3)
    expect(model.undo()).toMatchObject({
      files: [],
      emptied: [],
      made: [{ path: 'd', mode: 0o711 }],
    })
    expect(model.undo()).toMatchObject({ emptied: ['d'], made: [{ path: 'e', mode: 0o750 }] })
    expect(model.redo('all')).toMatchObject({ emptied: ['d', 'e'], made: [] })
    expect(model.opUndo()).toMatchObject({ made: [{ path: 'e' }], emptied: ['d'] })
    model.human({ d: 'a file now' })
    expect(model.redo()).toMatchObject({ made: [], emptied: ['e'], conflicts: [] })
  })

  test('[sem.M3] kept properties of the whole file are reported', () => {
    const model = start({ f: letters })
    const author = { kind: 'turn' as const, turn: model.prompt('t1') }
    model.link('f', model.value('a X c d e f', 0o755), author)
    model.link('f', model.value('a X c d e f', 0o600), { kind: 'outside' })
    expect(model.undo()).toMatchObject({
      files: [{ verb: 'merge', post: model.value(letters, 0o600) }],
      warnings: [
        { code: 'merged', path: 'f' },
        { code: 'kept-mine', path: 'f', what: 'mode' },
      ],
    })
  })
})

describe('files that execute', () => {
  const settings = '.claude/settings.local.json'

  test('[S9] need a choice for that very path, with the change shown', () => {
    const model = start({ [settings]: 'old', f: letters })
    model.agent('t1', { [settings]: 'new', f: 'a X c d e f' })
    for (const onConflict of ['stop', 'put-back', 'mark'] as const)
      expect(model.undo(1, { onConflict })).toMatchObject({
        conflicts: [settings],
        files: [
          { path: settings, why: 'needs-consent', post: model.value('old') },
          { path: 'f', verb: 'restore' },
        ],
      })
    expect(isDone(model.undo(1, { choices: new Map([[at(settings), 'put-back']]) }))).toBe(true)
    expect(model.words(settings)).toBe('old')
  })

  test('[S9] need their own choice, not one for the other path of a rename', () => {
    const model = start({ '.mcp.json': letters })
    const author = { kind: 'turn' as const, turn: model.prompt('t1') }
    model.link('old.json', model.value(letters), author, { renamedFrom: at('.mcp.json') })
    const other = new Map([[at('old.json'), 'put-back' as const]])
    expect(model.undo(1, { choices: other })).toMatchObject({
      conflicts: ['.mcp.json', 'old.json'],
      files: [{ why: 'needs-consent' }, { why: 'needs-consent' }],
    })
    const own = new Map([[at('.mcp.json'), 'put-back' as const]])
    expect(isDone(model.undo(1, { choices: own }))).toBe(true)
  })

  test('[S9] are never offered or given markers', () => {
    const model = start({ '.envrc': letters })
    model.agent('t1', { '.envrc': 'a X c d e f' })
    model.human({ '.envrc': 'a H c d e f' })
    const choices = new Map([[at('.envrc'), 'mark' as const]])
    expect(model.undo(1, { choices })).toMatchObject({
      files: [{ why: 'overlap', choices: ['keep-mine', 'put-back'] }],
    })
  })

  test('[S9] need no choice to be left alone', () => {
    const model = start({ '.ENVRC': 'old' })
    model.agent('t1', { '.ENVRC': 'new' })
    expect(model.undo()).toMatchObject({ conflicts: ['.ENVRC'] })
    expect(isDone(model.undo(1, { onConflict: 'keep-mine' }))).toBe(true)
    expect(model.words('.ENVRC')).toBe('new')
  })

  test('[S9] need no choice if they would not change', () => {
    const model = start({ '.husky/pre-commit': 'old' })
    model.agent('t1', { '.husky/pre-commit': 'new' })
    model.human({ '.husky/pre-commit': 'old' })
    expect(model.undo()).toMatchObject({ files: [{ verb: 'skip', why: 'already-so' }] })
  })

  test('[sem.A9] git’s own files are never written, in any spelling', () => {
    for (const path of [
      '.git/hooks/pre-commit',
      'sub/.GIT/config',
      'git~1/config',
      '.g\u200cit/x',
    ]) {
      const model = start({ [path]: 'old' })
      model.agent('t1', { [path]: 'new' })
      expect(model.undo()).toMatchObject({
        kind: 'refused',
        why: 'not-invertible',
        notCovered: [{ path, why: 'never-written' }],
      })
    }
  })
})

describe('exact and restore', () => {
  test('[sem.V8] exact writes a snapshot’s contents and lists the outside edits that are lost', () => {
    const model = start({ f: letters, g: 'p q r', kept: 'k' })
    const seq = model.seq
    const values = new Map(model.now)
    values.delete(at('kept'))
    model.agent('t1', { f: 'a X c d e f', g: 'p Q r', made: 'm' })
    values.set(at('made'), { kind: 'absent' })
    model.human({ f: 'a X c d H f', kept: 'k H' })
    const before = model.state()
    expect(model.run({ verb: 'exact', to: turn('hello'), target: { seq, values } })).toMatchObject({
      turns: ['t1'],
      to: { turn: 'hello' },
      files: [
        { path: 'f', verb: 'restore', why: 'removes-outside-edits' },
        { path: 'g', verb: 'restore', why: null },
        { path: 'made', verb: 'delete', why: null },
      ],
      asks: [{ code: 'removes-outside-edits', paths: ['f'] }],
    })
    expect(model.files()).toEqual({ f: letters, g: 'p q r', kept: 'k H' })
    expect(model.cells.every((cell) => !cell.in && !cell.reverted)).toBe(true)
    model.opUndo()
    expect(model.state()).toEqual(before)
  })

  test('[sem.V8] redo after an exact rewind brings the turn and the edits back', () => {
    const model = start({ f: letters })
    const target = { seq: model.seq, values: new Map(model.now) }
    model.agent('t1', { f: 'a X c d e f' })
    model.human({ f: 'a X c d H f' })
    model.run({ verb: 'exact', to: turn('hello'), target })
    model.redo()
    expect(model.words('f')).toBe('a X c d H f')
  })

  test('[sem.V8] paths with unknown contents stay unchanged', () => {
    const model = start({ f: letters, g: 'p q r' })
    const unknown: Value = { kind: 'unknown', why: 'never seen' }
    const values = new Map<ProjectPath, Value>([
      [at('f'), unknown],
      [at('g'), model.value('p')],
    ])
    expect(model.run({ verb: 'restore', target: { seq: 1, values } })).toMatchObject({
      files: [{ path: 'g' }],
      notCovered: [{ path: 'f', why: 'unknown-before' }],
    })
    expect(model.files()).toEqual({ f: letters, g: 'p' })
  })

  test('[sem.V8] a restored file stays restored over undo and redo, until the operation is undone', () => {
    const model = start({ f: letters, g: 'p q r' })
    const seq = model.seq
    const values = new Map([[at('f'), model.now.get(at('f'))!]])
    model.agent('t1', { f: 'a X c d e f', g: 'p Q r' })
    const before = model.state()
    expect(model.run({ verb: 'restore', target: { seq, values } })).toMatchObject({
      turns: [],
      from: { turn: 't1' },
      to: { turn: 't1' },
    })
    model.undo()
    model.redo()
    expect(model.files()).toEqual({ f: letters, g: 'p Q r' })
    model.opUndo()
    model.opUndo()
    model.opUndo()
    expect(model.state()).toEqual(before)
  })

  test('[sem.V8] restoring what another restore removed brings the cell in again', () => {
    const model = start({ f: letters })
    const first = { seq: model.seq, values: new Map(model.now) }
    model.agent('t1', { f: 'a X c d e f' })
    const second = { seq: model.seq, values: new Map(model.now) }
    model.run({ verb: 'restore', target: first })
    expect(model.cellOf('t1', 'f')).toMatchObject({ in: false, reverted: true })
    model.run({ verb: 'restore', target: second })
    expect(model.cellOf('t1', 'f')).toMatchObject({ in: true, reverted: false })
    model.undo()
    expect(model.words('f')).toBe(letters)
  })
})

describe('op undo', () => {
  test('[sem.O2] merges with what people changed since, and records it', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a c d e f' })
    model.undo()
    model.human({ f: 'a c d e f' })
    expect(model.opUndo()).toMatchObject({ inverts: 'op1', to: { turn: 't1' } })
    expect(model.words('f')).toBe('a c d e f')
    model.undo()
    expect(model.words('f')).toBe('a c d e f')
  })

  test('[sem.O2] after new prompts asks first, and the conversation stays', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.undo()
    model.agent('u1', { f: 'a b c d Y f' })
    expect(model.opUndo()).toMatchObject({
      to: { turn: 'u1' },
      asks: [{ code: 'conversation-stays' }],
    })
    expect(model.words('f')).toBe('a X c d Y f')
  })

  test('[sem.O2] reports that there is nothing to undo', () => {
    const model = start({ f: letters })
    expect(model.opUndo()).toMatchObject({ kind: 'nothing-to-do', why: 'no-operation' })
    model.agent('t1', { f: 'a X c d e f' })
    model.undo()
    model.opUndo()
    expect(model.opUndo()).toMatchObject({ kind: 'nothing-to-do', why: 'no-operation' })
    expect(model.opUndo('op1')).toMatchObject({ kind: 'refused', why: 'already-undone' })
    expect(model.opUndo('op9')).toMatchObject({ kind: 'refused', why: 'unknown-operation' })
  })

  test('[sem.O3] an older operation on other cells can be undone by its id', () => {
    const model = start({ f: letters, g: 'p q r' })
    model.agent('t1', { f: 'a X c d e f' })
    model.agent('t2', { g: 'p Q r' })
    model.revert('t1')
    model.revert('t2')
    expect(isDone(model.opUndo('op1'))).toBe(true)
    expect(model.files()).toEqual({ f: 'a X c d e f', g: 'p q r' })
    expect(model.cellOf('t1', 'f')).toMatchObject({ in: true, reverted: false })
  })

  test('[sem.O3] cells that the agent’s own rewind moved since are not moved blindly', () => {
    const model = start({ f: letters })
    model.agent('t1', { f: 'a X c d e f' })
    model.undo()
    model.cells = model.cells.map((cell) => ({ ...cell, in: true, since: 99 }))
    expect(model.opUndo()).toMatchObject({ kind: 'refused', why: 'cells-moved-since' })
  })

  test('[sem.O2] a path in conflict can be kept, and its cells stay as they are', () => {
    const model = start({ f: letters, g: 'p q r' })
    model.agent('t1', { f: 'a X c d e f', g: 'p Q r' })
    model.undo()
    model.human({ f: 'a H c d e f' })
    const request = { verb: 'op-undo' as const }
    expect(model.plan(request)).toMatchObject({
      conflicts: ['f'],
      files: [{ why: 'overlap', choices: ['keep-mine', 'put-back', 'mark'] }, { path: 'g' }],
    })
    model.run(request, { onConflict: 'keep-mine' })
    expect(model.files()).toEqual({ f: 'a H c d e f', g: 'p Q r' })
    expect(model.cellOf('t1', 'f').in).toBe(false)
    expect(model.cellOf('t1', 'g').in).toBe(true)
  })

  test('[sem.O2] put-back and mark resolve a conflict here too', () => {
    for (const onConflict of ['put-back', 'mark'] as const) {
      const model = start({ f: letters })
      model.agent('t1', { f: 'a X c d e f' })
      model.undo()
      model.human({ f: 'a H c d e f' })
      expect(isDone(model.run({ verb: 'op-undo' }, { onConflict }))).toBe(true)
      const marked = 'a <<<<<<< now H ======= X >>>>>>> restored c d e f'
      expect(model.words('f')).toBe(onConflict === 'mark' ? marked : 'a X c d e f')
    }
  })

  test('[sem.M5] a rename is undone at both paths', () => {
    const model = start({ 'src/a': letters })
    const author = { kind: 'turn' as const, turn: model.prompt('t1') }
    model.link('lib/a', model.value(letters), author, { renamedFrom: at('src/a') })
    const before = model.state()
    model.undo()
    expect(model.files()).toEqual({ 'src/a': letters })
    model.opUndo()
    expect(model.state()).toEqual(before)
  })
})
