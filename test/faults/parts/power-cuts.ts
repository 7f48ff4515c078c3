/**
 * Power cuts on real file systems: the whole world is on its own file system, which is shut down at
 * a libc call, mounted again and recovered.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../../verifier/inspect.ts'
import { verify, verifyOrThrow } from '../../verifier/verify.ts'
import { cliWorld, type CliWorld } from '../cli-world.ts'
import { testOperations, makeReady, recoverWorld, type Ready } from '../operations.ts'
import { inMemory } from '../../house/in-memory.ts'
import type { Part, Task } from '../part.ts'
import { isOnPath } from '../../house/has-need.ts'
import { noCompiler, shim } from '../shim.ts'

const MOVES = ['undo 2', 'redo', 'switch']

interface Kind {
  readonly name: string
  readonly size: string
  readonly make: readonly string[]
  /** Mount options, used in rotation. */
  readonly options: readonly string[]
}

const kinds = {
  ext4: {
    name: 'ext4',
    size: '64M',
    make: ['mkfs.ext4', '-q', '-F'],
    // By default ext4 flushes a file on rename even without sync; the second set turns that off.
    options: ['loop', 'loop,data=writeback,noauto_da_alloc'],
  },
  xfs: { name: 'xfs', size: '300M', make: ['mkfs.xfs', '-q', '-f'], options: ['loop'] },
} as const satisfies Record<string, Kind>

/** A disk with a world on it, and a copy of the disk for each operation. */
interface Rig extends AsyncDisposable {
  readonly w: CliWorld
  readonly mount: string
  readonly ready: ReadonlyMap<string, Ready>
  /** Mounts the disk as it was before the operation. */
  insert(operation: string, options: string): void
  /** Unmounts and mounts again. */
  restart(options: string): void
  eject(): void
}

async function rig(kind: Kind): Promise<Rig> {
  const place = mkdtempSync(join(inMemory(), 'retake-disk-'))
  const mount = join(place, 'mnt')
  const image = join(place, 'now.img')
  mkdirSync(mount)
  execFileSync('truncate', ['-s', kind.size, image])
  execFileSync(kind.make[0]!, [...kind.make.slice(1), image])
  const on = (options: string) => void execFileSync('mount', ['-o', options, image, mount])
  // Killed programs may keep it busy for a moment.
  const off = () => void execFileSync('sh', ['-c', 'umount "$1" || { sleep 1; umount "$1"; }', 'sh', mount]) // prettier-ignore
  on(kind.options[0]!)
  const w = await cliWorld(mount)
  w.keep('base')
  const ready = new Map<string, Ready>()
  for (const name of MOVES) {
    const each = makeReady(
      w,
      testOperations.find((operation) => operation.name === name)!,
      'base',
    )
    ready.set(name, each)
    w.reset(name)
    off()
    execFileSync('cp', ['--sparse=always', image, join(place, `${name}.img`)])
    on(kind.options[0]!)
  }
  off()
  return {
    w,
    mount,
    ready,
    insert(operation, options) {
      rmSync(image)
      execFileSync('cp', ['--sparse=always', join(place, `${operation}.img`), image])
      on(options)
    },
    restart(options) {
      off()
      on(options)
    },
    eject: off,
    async [Symbol.asyncDispose]() {
      spawnSync('umount', [mount], { stdio: 'ignore' })
      rmSync(place, { recursive: true, force: true })
    },
  }
}

const rigs = new Map<string, Promise<Rig>>()

export async function endRigs(): Promise<void> {
  for (const each of rigs.values()) await (await each)[Symbol.asyncDispose]()
}

function rigOf(kind: Kind): Promise<Rig> {
  const known = rigs.get(kind.name) ?? rig(kind)
  rigs.set(kind.name, known)
  return known
}

/** Runs one operation on a fresh disk and cuts the power at a call, or (null) right after success. */
function cut(r: Rig, name: string, options: string, at: number | null, env = {}) {
  const ready = r.ready.get(name)!
  r.insert(name, options)
  const before = inspect(r.w.root)
  const power = { FAULT: 'cut', FAULT_MOUNT: r.mount }
  const ran = ready.perform({
    env: at === null ? { FAULT_NONE: '1', ...env } : { ...power, FAULT_AT: String(at), ...env },
  })
  if (at === null)
    execFileSync('true', { env: { ...power, FAULT_AT: '0', LD_PRELOAD: shim(), PATH: '/usr/bin:/bin' } }) // prettier-ignore
  r.restart(options)
  return { ready, before, ran }
}

async function tryCuts(kind: Kind, { runs, random, point, note }: Task): Promise<void> {
  const r = await rigOf(kind)
  for (let number = 0; number < runs; number += 1) {
    const name = random.pick(MOVES)
    const options = kind.options[number % kind.options.length]!
    const { calls } = r.ready.get(name)!
    // Every fifth cut comes after the operation reports success.
    const at = number % 5 === 4 ? null : 1 + random.below(calls)
    const { ready, before, ran } = cut(r, name, options, at)
    try {
      await point(
        () =>
          `${name}, ${at === null ? 'after it was done' : `call ${at} of ${calls}`}, ${options}`,
        () => {
          recoverWorld(r.w)
          const side = verifyOrThrow(r.w.root, ready.expected(before, ran))
          note(`${at === null ? 'done, then cut' : 'cut'}, then ${side}: 1`)
        },
      )
    } finally {
      r.eject()
    }
  }
}

/** The same with disabled syncs. If this finds no damage, the other tests prove nothing. */
async function tryWithoutSyncs(kind: Kind, { runs, random, point, note }: Task): Promise<void> {
  const r = await rigOf(kind)
  let caught = 0
  const found = new Set<string>()
  for (let number = 0; number < runs; number += 1) {
    const name = random.pick(MOVES)
    const options = kind.options[number % kind.options.length]!
    const { ready, before, ran } = cut(r, name, options, null, { FAULT_NO_SYNC: '1' })
    try {
      recoverWorld(r.w)
      const { wrong } = verify(r.w.root, ready.expected(before, ran))
      if (wrong.length > 0) caught += 1
      for (const each of wrong) found.add(each.slice(0, 2))
    } catch {
      caught += 1
    } finally {
      r.eject()
    }
  }
  await point(
    () => 'a missing sync is seen',
    () => {
      if (caught === 0) throw new Error(`none of ${runs} runs without syncs was caught`)
    },
  )
  note(
    `syncs skipped on purpose: ${caught} of ${runs} runs caught (${[...found].sort().join(', ')})`,
  )
}

function unable(program: string): string | null {
  if (process.getuid?.() !== 0) return 'needs root, to mount'
  if (!isOnPath(program)) return `needs ${program}`
  if (spawnSync('losetup', ['-f'], { stdio: 'ignore' }).status !== 0) return 'needs a loop device'
  return noCompiler()
}

export const powerCuts: readonly Part[] = [
  {
    name: 'cut-ext4',
    goal: 'R2',
    fault: `power cut on ext4 at a call of libc, or right after “done”: ${MOVES.join(', ')}`,
    usual: 300,
    more: 2000,
    pieces: 10,
    unable: () => unable('mkfs.ext4'),
    try: (task) => tryCuts(kinds.ext4, task),
  },
  {
    name: 'cut-xfs',
    goal: 'R2',
    fault: `power cut on XFS at a call of libc, or right after “done”: ${MOVES.join(', ')}`,
    usual: 150,
    more: 1000,
    pieces: 15,
    unable: () => unable('mkfs.xfs'),
    try: (task) => tryCuts(kinds.xfs, task),
  },
  {
    name: 'cut-without-syncs',
    goal: 'R2',
    fault: 'the rig itself: power cuts with syncs that do nothing must be detected',
    usual: 10,
    pieces: 1,
    unable: () => unable('mkfs.ext4'),
    try: (task) => tryWithoutSyncs(kinds.ext4, task),
  },
]
