import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  fdatasyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { durableDisk, nameBytes, pinRoot, type PinnedRoot } from '#disk'
import { closeProject, observe, openProject, watchProject, type Project } from '#snapshots'
import { openStore } from '#store'
import { interleave, NO_GOAL, ratio, type Figure, type Way } from './measure.ts'
import { gitStatus, opencode, plainGit, toldGit } from './snapshots-peers.ts'
import { edit, LARGE_TREES, writeRepository } from './snapshots-tree.ts'

type Goal = { readonly most: number } | { readonly least: number }

/** What has to be reached with one changed file. */
function goalOf(what: string, size: number): Goal | null {
  const isLarge = size >= 100_000
  switch (what) {
    case 'watch, against opencode':
      return { least: isLarge ? 80 : size >= 10_000 ? 12 : 10 }
    case 'watch, against read + sha1 + sync':
      return { most: 6 }
    case 'scan, against opencode':
      return isLarge ? { least: 2 } : null
    case 'scan, against lstat alone':
      return isLarge ? { most: 2 } : null
    default:
      return null
  }
}

const ROUNDS: Readonly<Record<number, number>> = { 1000: 15, 10_000: 9, 100_000: 5 }
const CHANGES = [0, 1, 20] as const

/** Snapshots of generated repositories, against the commands of others on the same trees. */
export async function run(sizes: readonly number[] = [1000, ...LARGE_TREES]): Promise<Figure[]> {
  const figures: Figure[] = []
  const watchTimes: number[] = []
  for (const size of sizes) {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), 'retake-bench-'))
    try {
      const measured = await measureSize(directory, size)
      figures.push(...measured.figures)
      watchTimes.push(measured.watch)
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  const name = `growth from ${sizes[0]} to ${sizes.at(-1)} files, watch, 1 change`
  figures.push(ratio(name, watchTimes.at(-1)!, watchTimes[0]!, { most: 2 }))
  return figures
}

async function measureSize(
  directory: string,
  size: number,
): Promise<{ figures: Figure[]; watch: number }> {
  const repo = join(directory, 'repo')
  const store = join(directory, 'peers')
  mkdirSync(repo)
  mkdirSync(store)
  const all = writeRepository(repo, size)
  const rounds = ROUNDS[size] ?? 9
  const figures: Figure[] = []
  const say = (what: string): string => `${size} files: ${what}`
  const root = pinRoot(durableDisk, repo)

  const status = gitStatus(repo)
  const fresh = await interleave(rounds, {
    status: { act: status.snapshot },
    first: firstSnapshot(directory, root),
  })
  figures.push(ratio(say('first, against git status'), fresh.first, fresh.status, { most: 2 }))
  figures.push(memoryToWatch(say('memory of a process that watches'), directory, repo))

  const project = openAt(join(directory, 'data'), root)
  const scanned = openAt(join(directory, 'scanned'), root)
  using watch = watchProject(project)
  await watch.observe()
  observe(scanned)
  let changed: readonly string[] = []
  const told = toldGit(repo, store, () => changed)
  const peers = { opencode: await opencode(repo, store), plain: await plainGit(repo, store) }
  const whole = all.map((path) => join(repo, path))
  let watchTime = 0
  for (const count of CHANGES) {
    changed = spread(all, count)
    // Each way finds just these files changed since its own last look.
    const before = (): void => edit(repo, changed)
    const times = await interleave(rounds, {
      watch: { before, act: () => watch.observe() },
      // As a process that starts now: the table is read from the store.
      scan: { before, act: () => observe({ ...scanned, table: null }) },
      opencode: { before, act: peers.opencode.snapshot },
      plain: { before, act: peers.plain.snapshot },
      told: { before, act: told.snapshot },
      lstat: { act: () => lstatAll(whole) },
      limit: { before, act: () => readHashSync(directory, repo, changed) },
    })
    const changes = count === 1 ? '1 change' : `${count} changes`
    const compare = (what: string, ours: number, other: number): Figure => {
      const name = say(what.replace(',', `, ${changes},`))
      const goal = count === 1 ? goalOf(what, size) : null
      if (goal === null) {
        const isLimit = what.includes('lstat') || what.includes('sync')
        const any = isLimit ? { most: Infinity } : { least: 0 }
        return { ...ratio(name, ours, other, any), goal: NO_GOAL }
      }
      return ratio(name, ours, other, goal)
    }
    figures.push(
      compare('watch, against opencode', times.watch, times.opencode),
      compare('watch, against add + write-tree', times.watch, times.plain),
      compare('watch, against git told the paths', times.watch, times.told),
      compare('scan, against opencode', times.scan, times.opencode),
      compare('scan, against lstat alone', times.scan, times.lstat),
    )
    if (count > 0)
      figures.push(compare('watch, against read + sha1 + sync', times.watch, times.limit))
    if (count === 1) watchTime = times.watch
  }
  for (const open of [project, scanned]) {
    closeProject(open)
    open.store.close()
  }
  root.close()
  return { figures, watch: watchTime }
}

function openAt(data: string, root: PinnedRoot): Project {
  const stat = durableDisk.stat(nameBytes(root.path))!
  const store = openStore({ data, root: { path: root.path, stat }, disk: durableDisk })
  return openProject({ store, root, gitSettings: { configs: [], attributes: [] } })
}

/** Each time with a store that knows nothing; making the store is not measured. */
function firstSnapshot(directory: string, root: PinnedRoot): Way {
  const data = join(directory, 'first')
  let project: Project | null = null
  return {
    before: () => (project = openAt(data, root)),
    act: () => observe(project!),
    after() {
      closeProject(project!)
      project!.store.close()
      rmSync(data, { recursive: true })
    },
  }
}

function memoryToWatch(what: string, directory: string, repo: string): Figure {
  const program = fileURLToPath(new URL('watch-memory.ts', import.meta.url))
  const args = ['--expose-gc', program, repo, join(directory, 'memory')]
  const said = execFileSync(process.execPath, args, { encoding: 'utf8' })
  const { before, after } = JSON.parse(said) as { before: number; after: number }
  const figure = `${after.toFixed(0)} MB, ${(after - before).toFixed(0)} of them for the watch`
  return { what, figure, goal: NO_GOAL, reached: true }
}

function spread(paths: readonly string[], count: number): string[] {
  const step = Math.max(1, Math.floor(paths.length / Math.max(count, 1)))
  return Array.from({ length: count }, (_, n) => paths[(7 + n * step) % paths.length]!)
}

function lstatAll(paths: readonly string[]): void {
  for (const path of paths) lstatSync(path)
}

/** The least that anybody must do: read the changed bytes, hash them, and sync once. */
function readHashSync(directory: string, repo: string, paths: readonly string[]): void {
  const hash = createHash('sha1')
  for (const path of paths) hash.update(readFileSync(join(repo, path)))
  const file = openSync(join(directory, 'limit'), 'w')
  writeSync(file, hash.digest())
  fdatasyncSync(file)
  closeSync(file)
}
