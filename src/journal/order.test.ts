import { expect, test } from 'vitest'
import type { ContentId, ProjectPath, Value } from '#timeline'
import { orderSteps, type Change, type PresentTree, type Step } from './order.ts'

const absent: Value = { kind: 'absent' }
const file: Value = { kind: 'file', content: 'a' as ContentId, mode: 0o644 }

function create(path: string): Change {
  return { path: path as ProjectPath, pre: absent, post: file }
}

function remove(path: string): Change {
  return { path: path as ProjectPath, pre: file, post: absent }
}

function replace(path: string): Change {
  return { path: path as ProjectPath, pre: file, post: { ...file, mode: 0o755 } as Value }
}

function presentTree(...directories: string[]): PresentTree {
  return {
    isDirectory: (path) => directories.includes(path),
    twinOf: () => null,
    modeOf: () => 0o755,
    directoriesBelow: (path) =>
      directories
        .filter((directory) => directory === path || directory.startsWith(`${path}/`))
        .map((directory) => ({ path: directory, mode: 0o755 })),
  }
}

function order(
  changes: Change[],
  tree: PresentTree,
  wishes: { make?: string[]; remove?: string[] } = {},
): { steps: string[]; anchors: string[] } {
  const make = wishes.make?.map((path) => ({ path: path as ProjectPath, mode: 0o700 })) ?? []
  const gone = (wishes.remove ?? []) as ProjectPath[]
  const { steps, anchors } = orderSteps(changes, { make, remove: gone }, tree)
  const words = (step: Step) => {
    if ('n' in step) return `${step.do} ${changes[step.n]!.path}`
    return 'path' in step ? `${step.do} ${step.path}` : `${step.do} ${step.from} ${step.to}`
  }
  return { steps: steps.map(words), anchors }
}

test('[sem.O4] creations and replacements come before deletions', () => {
  expect(order([remove('a'), replace('b'), create('c')], presentTree()).steps).toEqual([
    'place b',
    'place c',
    'delete a',
  ])
})

test('[sem.O4] a file that becomes a directory is moved aside first', () => {
  const { steps, anchors } = order([create('d/cfg/x'), remove('d/cfg')], presentTree('d'))
  expect(steps).toEqual(['clear d/cfg', 'make-directory d/cfg', 'place d/cfg/x'])
  expect(anchors).toEqual(['d', 'd'])
})

test('[sem.O4] [R10] so is a file that becomes an empty directory, or the parent of one', () => {
  expect(order([remove('d/cfg')], presentTree('d'), { make: ['d/cfg'] }).steps).toEqual([
    'clear d/cfg',
    'make-directory d/cfg',
  ])
  expect(order([remove('cfg')], presentTree(), { make: ['cfg/sub'] }).steps).toEqual([
    'clear cfg',
    'make-directory cfg',
    'make-directory cfg/sub',
  ])
})

test('[sem.O4] a directory becomes a file after everything in it is moved out', () => {
  const changes = [create('d/cfg'), remove('d/cfg/x'), remove('d/cfg/sub/y')]
  const { steps, anchors } = order(changes, presentTree('d', 'd/cfg', 'd/cfg/sub'))
  expect(steps).toEqual([
    'clear d/cfg/x',
    'clear d/cfg/sub/y',
    'remove-directory d/cfg/sub',
    'remove-directory d/cfg',
    'place d/cfg',
  ])
  expect(anchors).toEqual(['d', 'd', 'd'])
})

test.each([
  ['Foo', 'foo'],
  ['A/x', 'a/x'],
  ['\u00fc', 'u\u0308'],
])('[sem.O4] %s is moved aside before %s is created', (from, to) => {
  const { steps } = order([create(to), remove(from)], presentTree('A', 'a'))
  expect(steps[0]).toBe(`clear ${from}`)
  expect(steps.at(-1)).toBe(`place ${to}`)
})

test('[sem.O4] a directory is renamed by case after its files are out, with what lies below it', () => {
  const spelled: Record<string, string> = {
    Src: 'src',
    'Src/Sub': 'src/sub',
    'Src/same': 'src/same',
  }
  const tree = presentTree('src', 'src/sub', 'src/same', 'src/gone')
  const { steps, anchors } = order(
    [remove('src/a'), create('Src/a'), create('Src/Sub/b'), create('Src/same/c'), remove('src/d')],
    { ...tree, twinOf: (path) => spelled[path] ?? null },
    { remove: ['src', 'src/gone'] },
  )
  expect(steps).toEqual([
    'clear src/a',
    'clear src/d',
    'respell-directory src Src',
    'respell-directory Src/sub Src/Sub',
    'place Src/a',
    'place Src/Sub/b',
    'place Src/same/c',
    'remove-directory Src/gone',
  ])
  // The operation's own files cannot be in a directory that it renames.
  expect(anchors).toEqual(['', '', '', '', ''])
})

test('[FT18] [sem.M6] an empty directory is respelled only if the other spelling is to go', () => {
  const spelled: Record<string, string> = { Src: 'SRC', 'Src/e': 'SRC/e' }
  const tree = presentTree('SRC', 'SRC/e')
  const folding = { ...tree, twinOf: (path: string) => spelled[path] ?? null }
  const respell = ['respell-directory SRC Src']
  expect(order([], folding, { make: ['Src/e'], remove: ['SRC', 'SRC/e'] }).steps).toEqual(respell)
  // A later turn gave it the name that it has now.
  expect(order([], folding, { make: ['Src/e', 'Src'], remove: ['src', 'src/e'] }).steps).toEqual([])
  // A new file in it brings its own spelling, as on any volume.
  expect(order([create('Src/a')], folding, { make: ['Src/e'] }).steps).toEqual([
    ...respell,
    'place Src/a',
  ])
})

test('[sem.M6] directories are made from the top and removed from the bottom', () => {
  const { steps } = order([create('a/b/c/f'), remove('x/y/f')], presentTree('x', 'x/y'), {
    make: ['empty/one'],
    remove: ['x', 'x/y'],
  })
  expect(steps).toEqual([
    'make-directory a',
    'make-directory empty',
    'make-directory a/b',
    'make-directory empty/one',
    'make-directory a/b/c',
    'place a/b/c/f',
    'delete x/y/f',
    'remove-directory x/y',
    'remove-directory x',
  ])
})

test('a directory that a new file needs is not removed', () => {
  const { steps } = order([create('x/f')], presentTree('x'), { remove: ['x'] })
  expect(steps).toEqual(['place x/f'])
})

test('the operation’s own files are never in a directory that it makes or removes', () => {
  const changes = [create('new/deep/f'), remove('gone/f'), replace('stays/f')]
  const { anchors } = order(changes, presentTree('gone', 'stays'), { remove: ['gone'] })
  expect(anchors).toEqual(['', '', 'stays'])
})
