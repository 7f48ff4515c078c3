import { expect, test } from 'vitest'
import type { RecordedEdit } from '#timeline'
import { resolveEdits } from './resolve-edits.ts'

const unknown = { kind: 'unknown', why: 'not recorded' } as const
const edit = (ms: number, old: string, fresh: string): RecordedEdit =>
  ({
    step: `E${ms}`,
    path: '/p/a',
    at: new Date(ms).toISOString(),
    by: 'subagent',
    before: unknown,
    after: unknown,
    pieces: [{ old, new: fresh, all: false }],
  }) as unknown as RecordedEdit
const text = (whole: string) => ({ kind: 'text', text: whole })

test('[sem.A10] an edit of which only the pieces are recorded begins with what a scan saw', () => {
  // A command appended a line after both edits, and before the agent's rows were read.
  const around = { before: null, after: '1\ntwo\nTHREE\nlate\n' }
  const seen = [
    { since: 1000, at: 5000, before: '1\n2\n3\n', after: '1\ntwo\nTHREE\n' },
    { since: 5000, at: 9000, before: '1\ntwo\nTHREE\n', after: '1\ntwo\nTHREE\nlate\n' },
  ]
  const edits = [edit(2000, '2', 'two'), edit(3000, '3', 'THREE')]
  expect(resolveEdits(edits, around, seen)).toMatchObject([
    { before: text('1\n2\n3\n'), after: text('1\ntwo\n3\n') },
    { before: text('1\ntwo\n3\n'), after: text('1\ntwo\nTHREE\n') },
  ])
  // The agent recorded the edit after the scan that saw it.
  expect(
    resolveEdits([edit(2000, '2', 'two')], around, [
      { since: 1000, at: 1900, before: '1\n2\n3\n', after: '1\ntwo\n3\n' },
      { since: 1900, at: 9000, before: '1\ntwo\n3\n', after: '1\ntwo\n3\nlate\n' },
    ]),
  ).toMatchObject([{ before: text('1\n2\n3\n'), after: text('1\ntwo\n3\n') }])
  // Without a scan, the present file is all there is.
  expect(resolveEdits([edit(2000, '2', 'two')], around)).toMatchObject([
    { before: text('1\n2\nTHREE\nlate\n') },
  ])
})
