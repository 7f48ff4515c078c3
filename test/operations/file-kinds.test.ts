import { chmod, lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PlanView } from '#protocol'
import { agent as delegate, bash, edit, notebookEdit, read, write } from '../model/index.ts'
import { type Played, played, playedOnce } from './played.ts'

const utf16 = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const latin1 = Buffer.from('caf\xe9\n', 'latin1')
const binary = Buffer.from([0, 1, 2, 255, 254, 0, 10, 13])

const odd = {
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  'bom.txt': '\ufeffone\ntwo\nthree\n',
  'bom-crlf.txt': '\ufeffone\r\ntwo\r\nthree\r\n',
  'wide.txt': utf16('one\r\ntwo\r\nthree\r\n'),
  'open-end.txt': 'one\ntwo\nthree',
  'closed.txt': 'one\ntwo',
  'tool.sh': { text: '#!/bin/sh\necho two\n', mode: '755' },
  'secret.env': { text: 'KEY=two\n', mode: '600' },
  'latin1.txt': latin1,
  'picture.bin': binary,
  'link.txt': { link: 'crlf.txt' },
  'empty.txt': '',
}

const edited = [
  'crlf.txt',
  'bom.txt',
  'bom-crlf.txt',
  'wide.txt',
  'open-end.txt',
  'tool.sh',
  'secret.env',
]

const names = [
  'with blank',
  '-rf',
  'two\nlines',
  'naïve/ünï code 🎉',
  '"quoted" $HOME `x`',
  'Foo',
  '.hidden/.x',
]

/** A turn of each kind, in its own files. */
const session = playedOnce({
  files: {
    ...odd,
    'written-over.txt': 'one\r\ntwo\r\n',
    'edited.txt': 'one\r\ntwo\r\n',
    a: 'a1\n2\na3\n4\na5\n',
    over: 'old\n',
    'n.ipynb': notebook('1'),
    same: 'x\n',
    shared: '1\n2\n3\n',
    '-rf': 'old\n',
    Foo: 'old\n',
    foo: 'other\n',
    b: '1\n',
    'mode.sh': { text: 'one\n', mode: '755' },
  },
  turns: {
    hello: 'hi',
    odd: [
      edited.map((path) => read(path)),
      [...edited.map((path) => edit(path, 'two', 'zwei')), edit('closed.txt', 'two', 'two\n')],
      'done',
    ],
    'written over': [
      [read('written-over.txt'), edit('edited.txt', 'two', 'zwei')],
      write('written-over.txt', 'new\n'),
      'done',
    ],
    many: [
      [edit('a', 'a1', 'b1'), write('new/deep/file', 'n\n'), read('n.ipynb'), read('over')],
      [edit('a', 'a3', 'b3'), edit('a', 'b3', 'c3'), notebookEdit('n.ipynb', 'c1', '2')],
      [write('over', 'new\n'), edit('a', 'not there', 'x'), edit('a', '5', '6', { all: true })],
      [edit('a', 'b1', 'a1'), write('again', '1\n')],
      [write('again', '2\n')],
      'done',
    ],
    nothing: ['only words'],
    failed: [[edit('same', 'nope', 'x'), read('not there')], 'failed'],
    subagent: [delegate('sub work'), edit('shared', '3', 'drei'), 'done'],
    names: [[read('-rf'), read('Foo')], names.map((name) => write(name, `${name}!\n`)), 'done'],
    outside: [
      bash('echo 2 > made-by-shell'),
      write('../outside.txt', 'o\n'),
      edit('b', '1', 'one'),
      'done',
    ],
    modes: [[edit('mode.sh', 'one', 'eins'), write('new.sh', 'n\n')], 'done'],
  },
  also: {
    'sub work': [[read('shared')], [edit('shared', '1', 'eins'), write('sub', 's\n')], 'sub done'],
  },
})

/** The session right after the turn of this prompt. */
async function after(prompt: string): Promise<Played> {
  const p = await session()
  await p.run('rewind', String((await p.line()).indexOf(prompt) + 1))
  return p
}

test('[B1][F9][I4][FT17] line ends, byte order marks, encodings, final newlines and modes come back byte for byte', async () => {
  const p = await after('odd')
  const done = await p.files()
  expect(done['crlf.txt']).toBe('one\r\nzwei\r\nthree\r\n')
  expect(await p.run('undo')).toMatchObject({
    filesReverted: [...edited, 'closed.txt'].toSorted(),
    notCovered: [],
  })
  const undone = await p.files()
  for (const [path, entry] of Object.entries(odd))
    expect(undone[path], path).toEqual(entry instanceof Buffer ? new Uint8Array(entry) : entry)
  await p.run('redo')
  expect(await p.files()).toEqual(done)
})

test('[B1][FT17][F4] mixed line ends come back exactly if the agent kept checkpoints, and new directories are removed', async () => {
  const mixed = 'one\r\ntwo\nthree\r\nfour\n'
  await using p = await played({
    checkpointing: true,
    files: { 'mixed.txt': mixed, 'over.txt': 'old\r\nold2\n', 'gone/deep.txt': '1\n' },
    turns: {
      hello: 'hi',
      T1: [read('mixed.txt'), edit('mixed.txt', 'two', 'zwei'), 'one'],
      T2: [
        [edit('mixed.txt', 'three', 'drei'), read('over.txt')],
        [write('over.txt', 'new\n'), write('new/deep/file', 'n\n')],
        'two',
      ],
    },
  })
  const after = await p.files()
  await p.run('undo', '2')
  expect(await p.files()).toEqual({
    '.staged': 'staged\nmore\n',
    '.untracked': 'untracked\n',
    'mixed.txt': mixed,
    'over.txt': 'old\r\nold2\n',
    'gone/deep.txt': '1\n',
  })
  await p.run('redo', '2')
  expect(await p.files()).toEqual(after)
})

test('[I7][FT17] an overwritten file gets its text back; the receipt says that its line ends are not known', async () => {
  const p = await after('written over')
  const { warnings } = await p.read<PlanView>('undo', '--dry-run')
  expect(warnings).toEqual([
    'written-over.txt: overwritten; its old line endings were not recorded',
  ])
  await p.run('undo')
  expect(await p.s.read('written-over.txt')).toBe('one\ntwo\n')
  expect(await p.s.read('edited.txt')).toBe('one\r\ntwo\r\n')
})

test('[B1][U2] every editing tool: parallel calls, several edits of a file, overwriting, replace all, notebooks, failed edits', async () => {
  const p = await after('failed')
  const many = await p.files()
  expect(many).toMatchObject({ a: 'a1\n2\nc3\n4\na6\n', over: 'new\n', again: '2\n' })
  // Turns that changed no file are still turns.
  expect(await p.run('undo', '2')).toMatchObject({
    turnsUndone: 2,
    filesReverted: [],
    conversation: 'moved',
  })
  expect(await p.sent()).toEqual(['hello', 'odd', 'written over', 'many'])
  expect(await p.run('undo')).toMatchObject({
    filesReverted: ['a', 'again', 'n.ipynb', 'new/deep/file', 'over'],
  })
  const undone = await p.files()
  expect(undone).toMatchObject({
    a: 'a1\n2\na3\n4\na5\n',
    over: 'old\n',
    'n.ipynb': notebook('1'),
    same: 'x\n',
  })
  for (const made of ['again', 'new/deep/file']) expect(undone).not.toHaveProperty([made])
  await p.run('redo', '3')
  expect(await p.files()).toEqual(many)
})

test('[B1][sem.A4] a subagent’s changes belong to the turn that started it', async () => {
  const p = await after('subagent')
  const done = await p.files()
  expect(done).toMatchObject({ shared: 'eins\n2\ndrei\n', sub: 's\n' })
  expect(await p.run('undo')).toMatchObject({ filesReverted: ['shared', 'sub'], notCovered: [] })
  expect(await p.files()).toMatchObject({ shared: '1\n2\n3\n' })
  expect(await p.files()).not.toHaveProperty('sub')
  await p.run('redo')
  expect(await p.files()).toEqual(done)
})

test('[FT18] names with spaces, a leading dash, a line break, other scripts', async () => {
  const p = await after('names')
  const done = await p.files()
  expect(await p.run('undo')).toMatchObject({ filesReverted: names.toSorted() })
  const undone = await p.files()
  expect(undone).toMatchObject({ '-rf': 'old\n', Foo: 'old\n', foo: 'other\n' })
  for (const made of names)
    if (made !== '-rf' && made !== 'Foo') expect(undone).not.toHaveProperty([made])
  await p.run('redo')
  expect(await p.files()).toEqual(done)
  expect(await p.run('restore', '--at', '1', '--', '-rf', 'two\nlines')).toMatchObject({
    filesReverted: ['-rf', 'two\nlines'],
  })
  expect(await p.s.read('-rf')).toBe('old\n')
})

test('[W16][F5][I7] commands and files outside of the project are listed, not promised', async () => {
  const p = await after('outside')
  const { notCovered } = await p.run('undo')
  expect(notCovered).toEqual([
    '`echo 2 > made-by-shell` ran in turn 9; what it did to files is not known',
    expect.stringMatching(/outside\.txt: it is outside the project, so it stays as it is$/),
  ])
  expect(await p.s.read('made-by-shell')).toBe('2\n')
  expect(await p.s.read('../outside.txt')).toBe('o\n')
  expect(await p.s.read('b')).toBe('1\n')
})

test('[I4] a mode that the user changed since stays, even if the undo would change it too', async () => {
  const p = await after('modes')
  const path = join(p.s.project, 'mode.sh')
  await p.run('undo')
  expect((await lstat(path)).mode & 0o777).toBe(0o755)
  await chmod(path, 0o700)
  await p.run('redo')
  expect((await lstat(path)).mode & 0o777).toBe(0o700)
  expect(await readFile(path, 'utf8')).toBe('eins\n')
})

function notebook(source: string): string {
  const cell = { cell_type: 'code', id: 'c1', source, metadata: {}, outputs: [] }
  const whole = { cells: [{ ...cell, execution_count: null }], metadata: {}, nbformat: 4 }
  return JSON.stringify({ ...whole, nbformat_minor: 5 }, null, 1)
}
