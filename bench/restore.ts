import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { interleave, ratio, type Figure } from './measure.ts'
import { gitWay, restoreWay } from './restore-ways.ts'
import { LARGE_TREES, writeRepository } from './snapshots-tree.ts'

const COUNTS = [1, 20]
const ROUNDS = 7

/** Putting files back, journaled and synced, against git at its best. */
export async function run(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of LARGE_TREES) {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), 'retake-bench-'))
    try {
      figures.push(...(await restoreIn(directory, size)))
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  return figures
}

async function restoreIn(directory: string, size: number): Promise<Figure[]> {
  const repo = join(directory, 'repo')
  mkdirSync(repo)
  const all = writeRepository(repo, size)
  const figures: Figure[] = []
  for (const count of COUNTS) {
    const paths = Array.from({ length: count }, (_, n) => all[7 + n * Math.floor(size / 25)]!)
    using restore = restoreWay({ data: join(directory, 'data'), repo, paths })
    const times = await interleave(ROUNDS, {
      retake: restore.way,
      git: gitWay({ repo, index: join(directory, 'index'), paths }),
    })
    const name = `${size} files: restore of ${count}, against git read-tree with all synced`
    figures.push(ratio(name, times.retake, times.git, { least: size >= 100_000 ? 8 : 2 }))
  }
  return figures
}
