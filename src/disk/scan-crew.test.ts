import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCrew } from './scan-crew.ts'
import { lookOf, performJob, shareRows, type LookJob, type VerifyJob } from './scan-jobs.ts'
import { lookPlain } from './scan-plain.ts'
import { HEADER } from './scan-row.ts'

const root = mkdtempSync(join(tmpdir(), 'crew-'))
afterAll(() => rmSync(root, { recursive: true }))

const paths = Array.from({ length: 40 }, (_, n) => `d${n}`)
for (const path of paths) {
  mkdirSync(join(root, path, 'below'), { recursive: true })
  for (const name of ['a', 'b.ts', 'below.ts']) writeFileSync(join(root, path, name), name)
}
symlinkSync('a', join(root, 'd7/link'))

const options = { device: lstatSync(root, { bigint: true }).dev, racyFrom: 2n ** 62n }

function lookJobs(): LookJob[] {
  return [0, 10, 20, 30].map((n) => ({
    kind: 'look',
    root,
    paths: paths.slice(n, n + 10),
    options,
  }))
}

/** Waits until a worker thread has claimed the last job. */
async function untilClaimed(crew: { isTaken(n: number): boolean }, last: number): Promise<void> {
  await expect.poll(() => crew.isTaken(last), { timeout: 20_000 }).toBe(true)
}

test('a worker thread returns the same results as this thread', async () => {
  using crew = openCrew<LookJob>({ helpers: 1 })
  const jobs = lookJobs()
  for (const job of jobs) crew.add(job)
  await untilClaimed(crew, 3)
  for (const [n, job] of jobs.entries()) {
    const looks = crew.take(n)
    for (const [m, path] of job.paths.entries())
      expect(lookOf(looks, m)).toEqual(lookPlain(join(root, path), options))
  }
  // A directory with a link in it is not plain.
  expect(lookOf(performJob(jobs[0]!), 7)).toBeNull()
})

test('jobs added later are done too, and differences are found', async () => {
  using crew = openCrew<VerifyJob>({ helpers: 1 })
  const share = (rows: [string, Buffer][]): VerifyJob => shareRows(rows, { root, trustTimes: true })
  const rows = paths
    .filter((path) => path !== 'd7')
    .map((path): [string, Buffer] => [path, lookPlain(join(root, path), options)!.row])
  // Three rows record another state of their first file.
  for (const [, row] of rows.slice(0, 3)) row.writeUInt8(row[HEADER]! ^ 1, HEADER)
  crew.add(share(rows.slice(0, 20)))
  await untilClaimed(crew, 0)
  crew.add(share(rows.slice(20)))
  await untilClaimed(crew, 1)
  const doubtful = lookPlain(join(root, 'd0'), { ...options, racyFrom: 0n })!.row
  crew.add(share([['d0', doubtful]]))
  expect(crew.take(0)).toEqual(paths.slice(0, 3).map((path) => ({ path, names: ['a'] })))
  expect(crew.take(1)).toEqual([])
  expect(crew.take(2)).toEqual([{ path: 'd0', names: 'list-again' }])
})
