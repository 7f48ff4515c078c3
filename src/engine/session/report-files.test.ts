import { expect, test } from 'vitest'
import type { RecordedEdit } from '#timeline'
import { reportFiles } from './report-files.ts'

test('[sem.A11] an edit through a symlink is listed at the file in which it was made', () => {
  const edit = (step: string, before: string, after: string): RecordedEdit =>
    ({
      step,
      path: '/nowhere/project/d/f',
      at: null,
      by: 'agent',
      before: { kind: 'text', text: before },
      after: { kind: 'text', text: after },
      pieces: [],
    }) as unknown as RecordedEdit
  const edits = [edit('E1', 'a\n', 'A\n'), edit('E2', 'x\n', 'x\ny\n')]
  // Between the two edits, the link `d` changed from `real/d` to `other`.
  const then = new Map([
    ['recorded E1 /nowhere/project/d/f', 'real/d/f'],
    ['recorded E2 /nowhere/project/d/f', 'other/f'],
  ])
  expect(reportFiles(edits, '/nowhere/project', then)).toMatchObject([
    { path: 'real/d/f', added: 1, removed: 1 },
    { path: 'other/f', added: 1, removed: 0 },
  ])
})
