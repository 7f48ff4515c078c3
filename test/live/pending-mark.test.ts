import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { durableDisk } from '#disk'
import { markPending, unmarkPending } from '../../src/engine/hooks/pending-mark.ts'

test('[sem.C3] [R3] a mark is created and removed, and a failed removal is no failure', () => {
  const root = mkdtempSync(join(tmpdir(), 'retake-mark-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const places = { state: join(root, 'state') } as Parameters<typeof markPending>[1]
  const mark = join(places.state, 'pending/one')
  markPending(durableDisk, places, 'one')
  expect(existsSync(mark)).toBe(true)
  unmarkPending(durableDisk, places, 'one')
  expect(existsSync(mark)).toBe(false)
  unmarkPending(durableDisk, places, 'one')

  mkdirSync(mark)
  unmarkPending(durableDisk, places, 'one')
  expect(existsSync(mark)).toBe(true)
})
