/** Full disks and files of other owners: an operation is refused or done as a whole. */
import { equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { inspect, type Inspection } from '../../verifier/inspect.ts'
import { verifyOrThrow, type Expected } from '../../verifier/verify.ts'
import { cliWorld, type CliWorld, type Ran } from '../cli-world.ts'
import { testOperations, makeReady, recoverWorld, type Ready } from '../operations.ts'
import { inMemory } from '../../house/in-memory.ts'
import type { Part } from '../part.ts'
import { isOnPath } from '../../house/has-need.ts'
import { noCompiler } from '../shim.ts'

const MOVES = ['undo 2', 'redo', 'branch']
const KB = 1024
/** Retake keeps this much free, so around it the answer changes from refused to done. */
const MAX_BYTES = 20 * KB * KB

/** A world on a small disk of adjustable size. */
interface SmallDisk extends AsyncDisposable {
  readonly w: CliWorld
  readonly mount: string
  readonly ready: ReadonlyMap<string, Ready>
  limit(options: string): void
}

let made: Promise<SmallDisk> | undefined

function smallDisk(): Promise<SmallDisk> {
  made ??= (async () => {
    const mount = mkdtempSync(join(inMemory(), 'retake-small-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=755', 'tmpfs', mount])
    const w = await cliWorld(mount)
    w.keep('base')
    const ready = MOVES.map((name): [string, Ready] => [
      name,
      makeReady(
        w,
        testOperations.find((operation) => operation.name === name)!,
        'base',
      ),
    ])
    return {
      w,
      mount,
      ready: new Map(ready),
      limit: (options) => void execFileSync('mount', ['-o', `remount,${options}`, mount]),
      async [Symbol.asyncDispose]() {
        execFileSync('umount', ['-l', mount])
        rmSync(mount, { recursive: true, force: true })
      },
    }
  })()
  return made
}

export async function endSmallDisk(): Promise<void> {
  if (made !== undefined) await (await made)[Symbol.asyncDispose]()
}

function mustBeRoot(): string | null {
  return process.getuid?.() === 0 ? noCompiler() : 'needs root, to mount'
}

/** Runs one operation with limited space; checks it on the full disk and again with space. */
function tryFull(disk: SmallDisk, name: string, options: string): 'done' | 'refused' {
  const ready = disk.ready.get(name)!
  disk.limit('size=256m,nr_inodes=100000')
  const before = ready.begin()
  disk.limit(options)
  const ran = ready.perform()
  equal(ran.signal, null, ran.stderr)
  // Reading must work on a full disk.
  equal(disk.w.retake(['log', '--session', disk.w.session]).code, 0, 'log')
  if (ran.code !== 0) {
    const now = inspect(disk.w.root).project
    for (const [path, { line }] of before.project) equal(now.get(path)?.line, line, `I1 ${path}`)
    equal(now.size, before.project.size, 'I6')
  }
  disk.limit('size=256m,nr_inodes=100000')
  recoverWorld(disk.w)
  verifyOrThrow(disk.w.root, ready.expected(before, ran))
  return ran.code === 0 ? 'done' : 'refused'
}

// Not `run.sh`: a turn changed its mode, and if the user changes it too, the user's mode stays.
const places = ['', 'dir', 'new', 'new/deep', 'a.txt', 'dir/moved.txt', 'new/deep/e.txt']

export const disks: readonly Part[] = [
  {
    name: 'full',
    goal: 'R4',
    fault: `a disk with 0 to 20 MiB of free space: ${MOVES.join(', ')}`,
    usual: 200,
    pieces: 20,
    unable: mustBeRoot,
    async try({ runs, piece, pieces, point, note }) {
      const disk = await smallDisk()
      for (let number = 0; number < runs; number += 1) {
        const name = MOVES[number % MOVES.length]!
        const share = (number * pieces + piece) / (runs * pieces)
        // Half of the sizes are just below what is enough.
        const room =
          share < 0.5 ? share * 2 * 4 * KB * KB : MAX_BYTES - (1 - share) * 2 * 5 * KB * KB
        await point(
          () => `${name}, ${Math.round(room / KB)} KiB`,
          () => {
            disk.ready.get(name)!.begin()
            const { blocks, bfree, bsize } = statfsSync(disk.mount)
            const size = Math.ceil(((blocks - bfree) * bsize + room) / KB)
            note(`${tryFull(disk, name, `size=${size}k`)}: 1`)
          },
        )
      }
    },
  },
  {
    name: 'inodes',
    goal: 'R4',
    fault: `a disk with 0 to 40 free inodes: ${MOVES.join(', ')}`,
    usual: 40,
    pieces: 2,
    unable: mustBeRoot,
    async try({ runs, piece, pieces, point, note }) {
      const disk = await smallDisk()
      for (let number = 0; number < runs; number += 1) {
        const name = MOVES[number % MOVES.length]!
        const room = number * pieces + piece
        await point(
          () => `${name}, ${room} files`,
          () => {
            disk.ready.get(name)!.begin()
            const { files, ffree } = statfsSync(disk.mount)
            note(`${tryFull(disk, name, `size=256m,nr_inodes=${files - ffree + room}`)}: 1`)
          },
        )
      }
    },
  },
  {
    name: 'permissions',
    goal: 'R3',
    fault:
      'an ordinary user without permission for a file, a directory, the transcript or the store',
    usual: null,
    pieces: 1,
    unable: () =>
      process.getuid?.() === 0
        ? isOnPath('setpriv')
          ? null
          : 'needs setpriv'
        : 'needs root, to become another user',
    async try({ point, note }) {
      await using w = await cliWorld(inMemory())
      execFileSync('chown', ['-R', '65534:65534', w.root])
      w.keep('base')
      const via = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
      const ready = makeReady(
        w,
        testOperations.find(({ name }) => name === 'undo 2')!,
        'base',
        via,
      )
      const share = '.local/share/retake'
      const sessions = readdirSync(join(w.home, '.claude/projects'))[0]!
      const all = [
        ...places.map((path) => join(w.project, path)),
        ...['.claude/projects', `.claude/projects/${sessions}`, `.claude/projects/${sessions}/${w.session}.jsonl`, '.local/share', share, `${share}/projects`, '.local/state', '.cache', '.config'].map((path) => join(w.home, path)), // prettier-ignore
      ]
      for (const path of all)
        for (const forbid of [0o777, 0o222, 0o333])
          await point(
            () => `${path} without ${forbid.toString(8)}`,
            () => {
              const before = ready.begin()
              const { mode } = statSync(path)
              chmodSync(path, mode & 0o7777 & ~forbid)
              const ran = ready.perform()
              giveBack(w, path, mode & forbid, ran.code === 0)
              equal(ran.signal, null, ran.stderr)
              recoverAs(w, via)
              const left = leftIn(ran)
              const hidden = path.slice(w.project.length + 1)
              for (const each of left)
                ok(forbid !== 0o222 && isHidden(each, hidden), `${each} was left`)
              const expected = ready.expected(before, ran)
              const side = verifyOrThrow(w.root, {
                ...expected,
                after: { ...expected.after, project: withLeft(expected, left) },
              })
              if (ran.code !== 0) ok(side !== 'new', `it failed, and is ${side}`)
              note(`${ran.code === 0 ? 'done' : 'refused'}: 1`)
            },
          )
    },
  },
]

/** Restores the permission: the user's mode stays, and follows a renamed file (sem.M3). */
function giveBack({ project }: CliWorld, path: string, bits: number, isDone: boolean): void {
  const isRenamed = isDone && path === join(project, 'dir/moved.txt') && !existsSync(path)
  const now = isRenamed ? join(project, 'dir/b.txt') : path
  if (existsSync(now)) chmodSync(now, (statSync(now).mode | bits) & 0o7777)
}

/** The paths that a receipt lists as left alone. */
function leftIn({ code, stdout }: Ran): string[] {
  if (code !== 0) return []
  const { left = [] } = JSON.parse(stdout) as { left?: { path: string }[] }
  return left.map(({ path }) => path.replace(/\/$/u, ''))
}

/** Whether a path cannot be read if another cannot. Turn 2 renamed `dir/moved.txt`. */
function isHidden(path: string, by: string): boolean {
  const isOrBelow = (each: string): boolean => each === by || each.startsWith(`${by}/`)
  return isOrBelow(path) || (path === 'dir/b.txt' && isOrBelow('dir/moved.txt'))
}

/** A file that cannot be read stays, and the directories around it (sem.A5). */
function withLeft({ before, after }: Expected, left: readonly string[]): Inspection['project'] {
  const project = new Map(after.project)
  for (const path of left)
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const old = before.project.get(at)
      if (old === undefined) project.delete(at)
      else project.set(at, old)
    }
  return project
}

function recoverAs(w: CliWorld, via: readonly string[]): void {
  const { code, stdout } = w.retake(['undo', '--dry-run', '--json', '--session', w.session], {
    via,
  })
  ok(code === 0 || code === 6, stdout)
}
