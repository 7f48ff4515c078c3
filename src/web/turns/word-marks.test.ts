import { expect, test } from 'vitest'
import { cutAt, markLines, markWords } from './word-marks.ts'

const words = (text: string, spans: readonly (readonly [number, number])[] | null | undefined) =>
  spans?.map(([from, to]) => text.slice(from, to))

test('[F5] changed words in a line are marked; in a rewritten line none are', () => {
  const [old, now] = ['const db = pool(5)', 'const db = pool(10)']
  const marks = markWords(old, now)
  expect(words(old, marks?.old)).toEqual(['5'])
  expect(words(now, marks?.now)).toEqual(['10'])
  expect(markWords('return null', 'throw new Error(name)')).toBe(null)
  expect(markWords('x'.repeat(700), 'y')).toBe(null)
})

test('[F5] removed lines are compared with the lines that replaced them', () => {
  const lines = [
    { change: 'same', text: 'a\n' },
    { change: 'removed', text: 'let one = 1\n' },
    { change: 'removed', text: 'let two = 2\n' },
    { change: 'added', text: 'let one = 10\n' },
    { change: 'same', text: 'b\n' },
    { change: 'added', text: 'alone\n' },
  ] as const
  const marks = markLines(lines)
  expect(marks.map((spans, at) => words(lines[at].text, spans) ?? null)).toEqual([
    null,
    ['1'],
    null,
    ['10'],
    null,
    null,
  ])
})

test('[F5] highlighted pieces of a line are split where marks begin and end', () => {
  const pieces = [{ text: 'pool' }, { text: '(10)' }]
  expect(cutAt(pieces, [[2, 7]])).toEqual([
    { text: 'po', marked: false },
    { text: 'ol', marked: true },
    { text: '(10', marked: true },
    { text: ')', marked: false },
  ])
})
