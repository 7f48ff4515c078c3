import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BytesLost } from '../verifier/bytes-lost.ts'
import type { Part } from './part.ts'
import { rowsOf, tableOf } from './report.ts'
import { tryPiece } from './try-piece.ts'

const part: Part = {
  name: 'three',
  goal: 'R1',
  fault: 'one of three loses bytes',
  usual: 3,
  pieces: 1,
  async try({ random, point, survived, note }) {
    note(`first choice: ${random.below(1000)}`)
    survived(1)
    await point(() => 'second', () => {}) // prettier-ignore
    await point(
      () => 'third',
      () => {
        throw new BytesLost('a.txt', 12)
      },
    )
  },
}
const known = { seed: 7, piece: 0, pieces: 1, runs: 3, revision: 'x' }

test('[R1] a fault that is not survived is counted, reported, and repeated by the same seed', async () => {
  const result = await tryPiece(part, known)
  expect(result).toMatchObject({ tried: 3, survived: 2, bytesLost: 12 })
  expect(result.failures).toEqual([expect.stringContaining('third: BytesLost: a.txt')])
  expect((await tryPiece(part, known)).notes).toEqual(result.notes)
  expect((await tryPiece(part, { ...known, seed: 8 })).notes).not.toEqual(result.notes)
})

test('[R2] a fault that the machine does not allow is reported with the reason, never counted as survived', () => {
  const rows = rowsOf([{ ...part, unable: () => 'needs root' }], [], 7)
  expect(rows).toMatchObject([{ state: 'unable', why: 'needs root', tried: 0, survived: 0 }])
  expect(tableOf(rows)).toContain('not possible here')
  expect(rowsOf([part], [], 7)).toMatchObject([{ state: 'not run' }])
})

test('[I0] the verifier shares no code with what it checks', () => {
  const reached = new Set<string>()
  for (const start of ['verify.ts', 'read-store.ts'])
    follow(new URL(`../verifier/${start}`, import.meta.url), reached)
  follow(new URL('../crash/judge.ts', import.meta.url), reached)
  const outside = [...reached].filter((path) => !/\/test\/(verifier|crash)\//.test(path))
  expect(outside).toEqual([])
  expect(reached.size).toBeGreaterThan(6)
})

/** What a module loads at run time, without types. */
function follow(module: URL, reached: Set<string>): void {
  const path = fileURLToPath(module)
  if (reached.has(path)) return
  reached.add(path)
  const source = readFileSync(path, 'utf8')
  for (const [, from] of source.matchAll(/^(?:import|export) (?!type )[^'"]*?from '([^']+)'/gms)) {
    expect(from, `${path} imports`).toMatch(/^(node:|\.\.?\/)/)
    if (from!.startsWith('.')) follow(new URL(from!, module), reached)
  }
}
