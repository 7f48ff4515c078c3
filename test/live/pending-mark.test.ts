import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { markPending, unmarkPending } from '../../src/engine/hooks/pending-mark.ts'

test('[sem.C3] [R3] a mark is created and removed, and a failed removal is no failure', () => {
  const root = mkdtempSync(join(tmpdir(), 'retake-mark-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const places = { state: join(root, 'state') } as Parameters<typeof markPending>[0]
  const mark = join(places.state, 'pending/one')
  markPending(places, 'one')
  expect(existsSync(mark)).toBe(true)
  unmarkPending(places, 'one')
  expect(existsSync(mark)).toBe(false)
  unmarkPending(places, 'one')

  mkdirSync(mark)
  unmarkPending(places, 'one')
  expect(existsSync(mark)).toBe(true)
})
