import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimEvent, type EventIdentity } from '../../src/engine/hooks/claim-event.ts'
import { durableDisk } from '#disk'
import type { Machine } from '../../src/engine/ground/machine.ts'

test('[sem.C8] the hooks of several installations claim a prompt once, and the next prompt again', () => {
  const state = mkdtempSync(join(tmpdir(), 'claims-'))
  const machine = { places: { state }, disk: durableDisk, now: () => new Date() } as Machine
  const event = { event: 'UserPromptSubmit', session: 's', promptId: null, prompt: 'undo' }
  const claim = (more: Partial<EventIdentity> = {}): Disposable | null =>
    claimEvent(machine, { ...event, startedAt: Date.now() - 500, ...more })
  const claims = (more: Partial<EventIdentity>): boolean[] =>
    [1, 2, 3].map(() => claim(more) !== null)
  const once = [true, false, false]
  try {
    expect(claims({ promptId: 'p1' })).toEqual(once)
    // The same words again are another prompt.
    expect(claims({ promptId: 'p2' })).toEqual(once)
    expect(claims({ promptId: 'p2', session: 'other' })).toEqual(once)
    // Without an id, an event that began before the answer belongs to the same prompt.
    const first = claim()!
    expect(claim()).toBeNull()
    first[Symbol.dispose]()
    expect(claim()).toBeNull()
    expect(claims({ startedAt: Date.now() + 1000 })).toEqual(once)
  } finally {
    rmSync(state, { recursive: true })
  }
})
