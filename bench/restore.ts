import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawLines, interleave, ratio, tell, type Way } from './measure.ts'
import type { Figure, Goal, Measured, Times } from './measured.ts'
import { openPeers, type PeerKey } from './peers/index.ts'
import { checked, gitWay, restoreWay } from './restore-ways.ts'
import { takeRepository } from './snapshots-tree.ts'
import { TREES } from './sizes.ts'

const CURVE = {
  retake: 'Retake, journaled and synced',
  git: 'git read-tree, all synced',
  gemini: 'Gemini CLI',
  cline: 'Cline',
  roo: 'Roo Code',
  opencode: 'opencode 1.18',
} as const
type Restored = Readonly<Record<keyof typeof CURVE | 'gitSynced', Times>>
const PEERS = ['gemini', 'cline', 'roo'] as const satisfies PeerKey[]

/** Restoring files, journaled and synced, compared with git at its best and with other programs. */
export async function run(): Promise<Measured> {
  const figures: Figure[] = []
  const one: (readonly [number, Restored])[] = []
  for (const size of TREES) {
    const isCompared = size === 10_000 || size === 100_000
    for (const count of isCompared ? [1, 20, 2000] : [1]) {
      tell(`${size} files: restore of ${count}`)
      const directory = mkdtempSync(join(realpathSync(tmpdir()), 'restore-'))
      try {
        const times = await restoreIn(directory, size, count)
        if (count === 1) one.push([size, times])
        if (isCompared) figures.push(...compare(times, size, count))
      } finally {
        rmSync(directory, { recursive: true })
      }
    }
  }
  const what = 'Restore of one file'
  const lines = drawLines(CURVE, ['retake'], one)
  return { figures, curves: [{ name: 'restore', what, over: 'files', unit: 'ms', lines }] }
}

function compare(times: Restored, size: number, count: number): Figure[] {
  const name = `${size.toLocaleString('en')} files: restore of ${count}, against`
  const isMany = count > 20
  const goal: Goal = {
    least: isMany ? null : size === 100_000 ? 8 : count === 20 ? 1 : 2,
    why: 'Git syncs its index but not the files (`core.fsync=all` does not include them): it makes 1 sync. Retake syncs 20 files, and their 20 directories before the two records that rely on them. The next figure has git with its files synced.',
  }
  const synced: Goal = {
    least: isMany ? 1.5 : null,
    why: 'Per file, Retake reads the old file three times and the new one twice, writes, renames, links, and keeps the old content in its database. A program that makes only these calls and syncs needed 0.4 of the processor time on ext4 and 0.2 in memory. The rest are the database, the hashes and checks that each directory is still in its place: processor time, not the disk, is the limit.',
  }
  const shown: Goal = { least: null }
  return [
    ratio(`${name} git read-tree with all synced`, times.retake, times.git, goal),
    ratio(`${name} the same git with its files synced too`, times.retake, times.gitSynced, synced),
    ratio(`${name} opencode`, times.retake, times.opencode, shown),
    ratio(`${name} Gemini CLI`, times.retake, times.gemini, shown),
  ]
}

async function restoreIn(directory: string, size: number, count: number): Promise<Restored> {
  const { repo, paths: all } = takeRepository(size)
  const store = join(directory, 'peers')
  mkdirSync(store)
  const step = Math.floor(all.length / (count + 1))
  const paths = Array.from({ length: count }, (_, n) => all[7 + n * step]!)
  const peers = await openPeers(repo, store, () => paths)
  const isSlow = size >= 30_000
  const peer = async (key: PeerKey): Promise<Way> => {
    const { snapshot, restore } = peers[key]
    const clean = await snapshot().catch(() => '')
    const way = checked(repo, paths, () => restore!(clean))
    return { ...way, isPeer: true, ...(isSlow ? { atMost: 3 } : {}) }
  }
  using restore = restoreWay({ data: join(directory, 'data'), repo, paths })
  const ways = await Promise.all(PEERS.map(async (key) => [key, await peer(key)] as const))
  const times = await interleave<string>(isSlow ? 5 : 7, {
    retake: restore.way,
    git: gitWay({ repo, index: join(directory, 'index'), paths, syncsFiles: false }),
    gitSynced: gitWay({ repo, index: join(directory, 'index-2'), paths, syncsFiles: true }),
    ...Object.fromEntries(ways),
  })
  // Alone and last: it rewrites every file, after which all others would have to read every file
  // again.
  const last = await interleave(3, { opencode: await peer('opencode') })
  return { ...times, ...last } as unknown as Restored
}
