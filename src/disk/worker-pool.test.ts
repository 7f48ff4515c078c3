import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openWorkerPool } from './worker-pool.ts'
import { plainResultAt, performJob, shareRows, type PlainJob, type VerifyJob } from './scan-jobs.ts'
import { scanPlain } from './scan-plain.ts'
import { HEADER } from './scan-row.ts'

const root = mkdtempSync(join(tmpdir(), 'pool-'))
afterAll(() => rmSync(root, { recursive: true }))

const paths = Array.from({ length: 40 }, (_, n) => `d${n}`)
for (const path of paths) {
  mkdirSync(join(root, path, 'below'), { recursive: true })
  for (const name of ['a', 'b.ts', 'below.ts']) writeFileSync(join(root, path, name), name)
}
symlinkSync('a', join(root, 'd7/link'))

const options = { device: lstatSync(root, { bigint: true }).dev, racyFrom: 2n ** 62n }

function plainJobs(): PlainJob[] {
  return [0, 10, 20, 30].map((n) => ({
    kind: 'plain',
    root,
    paths: paths.slice(n, n + 10),
    options,
  }))
}

/** Waits until a worker thread has claimed the last job. */
async function untilClaimed(pool: { isTaken(n: number): boolean }, last: number): Promise<void> {
  await expect.poll(() => pool.isTaken(last), { timeout: 20_000 }).toBe(true)
}

test('a worker thread returns the same results as this thread', async () => {
  using pool = openWorkerPool<PlainJob>({ helpers: 1 })
  const jobs = plainJobs()
  for (const job of jobs) pool.add(job)
  await untilClaimed(pool, 3)
  for (const [n, job] of jobs.entries()) {
    const results = pool.take(n)
    for (const [m, path] of job.paths.entries())
      expect(plainResultAt(results, m)).toEqual(scanPlain(join(root, path), options))
  }
  // A directory with a link in it is not plain.
  expect(plainResultAt(performJob(jobs[0]!), 7)).toBeNull()
})

test('jobs added later are done too, and differences are found', async () => {
  using pool = openWorkerPool<VerifyJob>({ helpers: 1 })
  const share = (rows: [string, Buffer][]): VerifyJob => shareRows(rows, { root, trustTimes: true })
  const rows = paths
    .filter((path) => path !== 'd7')
    .map((path): [string, Buffer] => [path, scanPlain(join(root, path), options)!.row])
  // Three rows record another state of their first file.
  for (const [, row] of rows.slice(0, 3)) row.writeUInt8(row[HEADER]! ^ 1, HEADER)
  pool.add(share(rows.slice(0, 20)))
  await untilClaimed(pool, 0)
  pool.add(share(rows.slice(20)))
  await untilClaimed(pool, 1)
  const doubtful = scanPlain(join(root, 'd0'), { ...options, racyFrom: 0n })!.row
  pool.add(share([['d0', doubtful]]))
  expect(pool.take(0)).toEqual(paths.slice(0, 3).map((path) => ({ path, names: ['a'] })))
  expect(pool.take(1)).toEqual([])
  expect(pool.take(2)).toEqual([{ path: 'd0', names: 'list-again' }])
})
