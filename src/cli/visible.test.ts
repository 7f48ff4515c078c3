import { expect, test } from 'vitest'
import type { FailureCode } from '#failure'
import { exitCodeOf } from './exit-codes.ts'
import { allVisible, safeJson, visible } from './visible.ts'

test('[S8] no escape, control or bidirectional character reaches a terminal', () => {
  const hostile = '\x1b]52;c;x\x07 \x9b2J \rOK \x7f \u202egnp.exe \u200b \u2066 \ufeff \ud800'
  for (const text of [visible(hostile), safeJson([hostile])])
    expect(text).not.toMatch(
      /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/,
    )
  expect(visible('\x1b[2J')).toBe('␛[2J')
  expect(visible('a\tb\nc ü 漢 🎉')).toBe('a\tb\nc ü 漢 🎉')
  expect(visible('👩‍👩‍👧‍👦 a\u200db')).toBe(String.raw`👩‍👩‍👧‍👦 a\u200db`)
  expect(JSON.parse(safeJson([hostile.slice(0, -1)]))).toEqual([hostile.slice(0, -1)])
})

test('[U2] failures have distinct exit codes, and none of them is 0', () => {
  const codes: FailureCode[] = [
    'usage',
    'conflict',
    'session-busy',
    'turn-not-found',
    'interrupted',
    'disk-error',
  ]
  expect(codes.map(exitCodeOf)).toEqual([2, 4, 5, 6, 130, 1])
})

test('[S8] a line break in a file name is shown as a symbol, and one in a prompt stays', () => {
  const data = { prompt: 'a\nb', files: [{ path: 'a\nb' }], filesKept: ['c\nd'] }
  expect(allVisible(data)).toEqual({ prompt: 'a\nb', files: [{ path: 'a␊b' }], filesKept: ['c␊d'] })
})
