import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Observation } from '#snapshots'
import { type ContentId, type ProjectPath, type Value } from '#timeline'
import { sightingsOf } from '../../src/engine/witness/sightings-of.ts'

test('[sem.A2] files in a directory that took another’s place get the time of that move', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sightings-'))
  try {
    for (const directory of ['one/below/empty', 'two/below'])
      mkdirSync(join(root, directory), { recursive: true })
    for (const file of ['one/below/f', 'two/below/f']) writeFileSync(join(root, file), file)
    await setTimeout(20)
    const since = Date.now()
    await setTimeout(20)
    for (const [from, to] of [
      ['one', 'x'],
      ['two', 'one'],
      ['x', 'two'],
    ] as const)
      // prettier-ignore
      renameSync(join(root, from), join(root, to))
    const moved = Date.now()
    const at = moved + 5000

    const seen = sightingsOf(root, observed, { since, began: at, at })

    expect(seen.map(({ path }) => path)).toEqual(['two/below/f', 'two/below/empty'])
    for (const { changedAt } of seen) {
      expect(changedAt).toBeGreaterThanOrEqual(since)
      expect(changedAt).toBeLessThanOrEqual(moved + 1)
    }
  } finally {
    rmSync(root, { recursive: true })
  }
})

const file = (content: string): Value => ({ kind: 'file', content: content as ContentId, mode: 0o644 }) // prettier-ignore

const observed = {
  changed: new Map([
    ['two/below/f' as ProjectPath, { before: file('a'), after: file('b'), changedAt: 1 }],
  ]),
  madeDirectories: new Set(['two/below/empty' as ProjectPath]),
  goneDirectories: new Map(),
} as unknown as Observation
