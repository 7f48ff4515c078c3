import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PinnedRoot } from '#disk'
import type { Project } from '#snapshots'
import { lstatInC, readHashSync } from './limits.ts'
import { drawLines, interleave, limit, ratio, spread, tell, type Way } from './measure.ts'
import type { Figure, Goal, Measured, Times } from './measured.ts'
import { openPeers, type PeerKey } from './peers/index.ts'
import { gitStatus, gitWithPaths } from './peers/others.ts'
import { bundleProgram, loadShippedRooms } from './shipped-rooms.ts'
import { edit, takeRepository } from './snapshots-tree.ts'
import { TREES } from './sizes.ts'

const { disk, snapshots, store: stores } = await loadShippedRooms(join(tmpdir(), 'rooms'))
const { durableDisk, nameBytes, pinRoot } = disk
const { closeProject, observe, openProject, watchProject } = snapshots
const { listContents, openStore } = stores

/** The goals with one changed file; sizes in between are for the curve. */
function goalOf(what: string, size: number): Goal | null {
  const isLarge = size === 100_000
  switch (what) {
    case 'watch, against opencode':
      return { least: isLarge ? 80 : size === 10_000 ? 12 : size === 1000 ? 10 : null }
    case 'watch, against read + sha1 + sync':
      return { most: 6 }
    case 'scan, against opencode':
      return {
        least: isLarge ? 2 : null,
        why: 'Calling lstat for every file takes a third of opencode’s time in C, and half of it in Node. Two threads are 1.8 times as fast as one, but the second needs 30 ms to start and is slow at first. A fifth of the time goes into reading the last scan, half of that into creating an array for each directory.',
      }
    case 'scan, against lstat in C':
      return { most: isLarge ? 2 : null }
    default:
      return null
  }
}

const CURVE = {
  watch: 'Retake, watching',
  scan: 'Retake, just started',
  opencode: 'opencode 1.18',
  plain: 'opencode 2025',
  gemini: 'Gemini CLI',
  cline: 'Cline',
  clineSdk: 'Cline SDK',
  roo: 'Roo Code',
  claude: 'Claude Code (its own edits only)',
  given: 'git, given the paths',
  lstatInC: 'lstat of every file, in C',
  limit: 'read + sha1 + sync of the file',
} as const
type Measurings = Readonly<Record<keyof typeof CURVE | 'lstat' | 'indexed', Times>>
interface SizeMeasured {
  readonly figures: readonly Figure[]
  /** With one changed file. */
  readonly one: Measurings
  /** Of a process that watches, in MB. */
  readonly memory: number
}

/**
 * Snapshots of generated repositories, compared with other programs' commands on the same trees.
 */
export async function run(): Promise<Measured> {
  const sizes: (readonly [number, SizeMeasured])[] = []
  for (const size of TREES) {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), 'snapshots-'))
    try {
      sizes.push([size, await measureSize(directory, size)])
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  const [first, last] = [sizes[0]!, sizes.at(-1)!]
  const [from, to] = [first[0].toLocaleString('en'), last[0].toLocaleString('en')]
  const name = `growth from ${from} to ${to} files, watch, 1 change`
  const times = sizes.map(([size, { one }]) => [size, one] as const)
  const memory = sizes.map(([size, { memory }]) => [size, { watch: spread([memory]) }] as const)
  return {
    figures: [
      ...sizes.flatMap(([, { figures }]) => figures),
      ratio(name, last[1].one.watch, first[1].one.watch, { most: 2 }),
      limit(
        `memory for each further file, from ${from} to ${to} files`,
        ((last[1].memory - first[1].memory) * 1e6) / (last[0] - first[0]),
        'bytes',
        400,
      ),
    ],
    curves: [
      {
        name: 'snapshot',
        what: 'Snapshot after one changed file',
        over: 'files',
        unit: 'ms',
        lines: drawLines(CURVE, ['watch', 'scan'], times),
      },
      {
        name: 'snapshot-memory',
        what: 'Memory of a process that watches',
        over: 'files',
        unit: 'MB',
        lines: drawLines({ watch: 'Retake, watching' }, ['watch'], memory),
      },
    ],
  }
}

async function measureSize(directory: string, size: number): Promise<SizeMeasured> {
  tell(`${size} files: the tree`)
  const { repo, paths: all } = takeRepository(size)
  const store = join(directory, 'peers')
  mkdirSync(store)
  const isSlow = size >= 30_000
  const rounds = isSlow ? 5 : size >= 3000 ? 9 : 15
  const figures: Figure[] = []
  const say = (what: string): string => `${size.toLocaleString('en')} files: ${what}`
  const root = pinRoot(durableDisk, repo)

  tell(`${size} files: the first snapshot`)
  const status = gitStatus(repo)
  const first = firstSnapshot(directory, root)
  const fresh = await interleave(rounds, { status: { act: status.snapshot }, first: first.way })
  const memory = await memoryToWatch(directory, repo)
  figures.push(
    ratio(say('first, against git status'), fresh.first, fresh.status, {
      most: 2,
      why: 'Half of it is readdir and lstat in Node, which take 1.5 times as long as in C. A seventh is the database with its sync, a tenth the comparison with git’s index and objects. git status writes nothing and uses threads from the start. A thread in Node needs 30 ms to start, so Retake scans small trees with one.',
    }),
    limit(say('first, contents written'), first.written(), 'contents', 0),
    {
      ...limit(say('memory of a process that watches'), memory.first.after, 'MB', 150),
      goal: {
        most: 150,
        why: 'After the first snapshot as much is in use as in later processes. The rest are probably pages that it needed once and that are not returned to the system.',
      },
      note: `${(memory.first.after - memory.first.before).toFixed(0)} of them for the watch, with the first snapshot; ${memory.known.after.toFixed(0)} in later processes`,
    },
  )

  const project = openAt(join(directory, 'data'), root)
  const scanned = openAt(join(directory, 'scanned'), root)
  using watch = watchProject(project)
  await watch.observe()
  observe(scanned)
  let changed: readonly string[] = []
  const peers = await openPeers(repo, store, () => changed)
  const given = gitWithPaths(repo, store, () => changed)
  const whole = all.map((path) => join(repo, path))
  const measure = async (count: number): Promise<Measurings> => {
    tell(`${size} files: ${count} changed`)
    changed = choose(all, count)
    // Each function finds exactly these files changed since its own last scan.
    const before = (): void => edit(repo, changed)
    const peer = (key: PeerKey, atMost?: number): Way => {
      const act = (): Promise<string> => peers[key].snapshot()
      // This one writes the user's index, which Retake would read again at its next scan.
      const after = key === 'clineSdk' ? async () => void (await watch.observe()) : () => {}
      return { before, act, after, isPeer: true, ...(atMost === undefined ? {} : { atMost }) }
    }
    const others = (['plain', 'gemini', 'cline', 'clineSdk', 'roo', 'claude'] as const).map(
      (key) => [key, peer(key, isSlow ? 3 : undefined)] as const,
    )
    const times = await interleave<string>(rounds, {
      watch: { before, act: () => watch.observe() },
      indexed: {
        before() {
          before()
          execFileSync('git', ['stash', 'create'], { cwd: repo })
        },
        act: () => watch.observe(),
      },
      // Like a newly started process: the table is read from the store.
      scan: { before, act: () => observe({ ...scanned, table: null }) },
      opencode: peer('opencode'),
      given: { before, act: given.snapshot },
      lstat: () => lstatAll(whole),
      lstatInC: lstatInC(directory, repo, all),
      limit: { before, act: () => readHashSync(directory, repo, changed) },
      // The others run only with one change, the usual snapshot.
      ...(count === 1 ? Object.fromEntries(others) : {}),
    })
    return times as Measurings
  }
  const one = await measure(1)
  const isCompared = size !== 3000 && size !== 30_000
  const measured: [number, Measurings][] = [[1, one]]
  if (isCompared) for (const count of [0, 20]) measured.push([count, await measure(count)])
  for (const [count, times] of measured) {
    const compare = (what: string, ours: Times, other: Times): void => {
      const changes = count === 1 ? '1 change' : `${count} changes`
      const isLimit = what.includes('lstat') || what.includes('sync')
      const none: Goal = isLimit ? { most: null } : { least: null }
      const goal = (count === 1 ? goalOf(what, size) : null) ?? none
      figures.push(ratio(say(what.replace(',', `, ${changes},`)), ours, other, goal))
    }
    compare('watch, against opencode', times.watch, times.opencode)
    compare('watch, against git given the paths', times.watch, times.given)
    compare('watch, after git wrote its index, against opencode', times.indexed, times.opencode)
    compare('scan, against opencode', times.scan, times.opencode)
    compare('scan, against lstat in C', times.scan, times.lstatInC)
    compare('scan, against lstat from Node', times.scan, times.lstat)
    if (count > 0) compare('watch, against read + sha1 + sync', times.watch, times.limit)
  }
  for (const open of [project, scanned]) {
    closeProject(open)
    open.store.close()
  }
  root.close()
  return { figures, one, memory: memory.known.after }
}

function openAt(data: string, root: PinnedRoot): Project {
  const stat = durableDisk.stat(nameBytes(root.path))!
  const store = openStore({ data, root: { path: root.path, stat }, disk: durableDisk })
  return openProject({ store, root, gitSettings: { configs: [], attributes: [] } })
}

/** Each time with an empty store; creating the store is not measured. */
function firstSnapshot(directory: string, root: PinnedRoot): { way: Way; written(): number } {
  const data = join(directory, 'first')
  let project: Project | null = null
  let written = 0
  const way: Way = {
    before: () => (project = openAt(data, root)),
    act: () => observe(project!),
    after() {
      written = listContents(project!.store).length
      closeProject(project!)
      project!.store.close()
      rmSync(data, { recursive: true })
    },
  }
  return { way, written: () => written }
}

interface WatchMemory {
  readonly before: number
  readonly after: number
}

/** Of the process that takes the first snapshot, and of every later one. */
async function memoryToWatch(
  directory: string,
  repo: string,
): Promise<{ first: WatchMemory; known: WatchMemory }> {
  const program = await bundleProgram(new URL('watch-memory.ts', import.meta.url), directory)
  const args = ['--expose-gc', program, repo, join(directory, 'memory')]
  const start = (): WatchMemory =>
    JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as WatchMemory
  return { first: start(), known: start() }
}

function choose(paths: readonly string[], count: number): string[] {
  const step = Math.max(1, Math.floor(paths.length / Math.max(count, 1)))
  return Array.from({ length: count }, (_, n) => paths[(7 + n * step) % paths.length]!)
}

function lstatAll(paths: readonly string[]): void {
  for (const path of paths) lstatSync(path)
}
