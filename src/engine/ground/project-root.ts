import type { OpenSession } from '#agents'
import {
  type Disk,
  listedSpelling,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  writeOnce,
} from '#disk'
import { findRepository, isIgnoredIn, refuseScope } from '#snapshots'
import { findProjectKey, shortDigest } from '#store'
import { Failure } from '#failure'
import type { Machine } from './machine.ts'
import { userGit } from './places.ts'

/**
 * The directory whose files are recorded for sessions that start in `start`: the top of its git
 * repository, so that all sessions of a repository share one ledger. It is `start` itself if there
 * is no repository, if the repository is too much to record (a home or system directory) or ignores
 * `start`, or if `start` already has a store.
 */
export function projectRoot(machine: Machine, start: string): string {
  const known = cached(machine)
  const cachedRoot = known.get(start)
  if (cachedRoot !== undefined && process.uptime() * 1000 - cachedRoot.at < FRESH)
    return cachedRoot.root
  // A directory reached under another spelling is the same project.
  const root = findRoot(machine, listedSpelling(start))
  known.set(start, { root, at: process.uptime() * 1000 })
  return root
}

/** Milliseconds. Lists of sessions look up every project of the machine, again and again. */
const FRESH = 5000
const caches = new WeakMap<Machine, Map<string, { root: string; at: number }>>()

function cached(machine: Machine): Map<string, { root: string; at: number }> {
  let known = caches.get(machine)
  if (known === undefined) caches.set(machine, (known = new Map()))
  return known
}

/** The directory to which the paths of an open session are relative. */
const roots = new WeakMap<OpenSession, string>()

export function noteRootOf(machine: Machine, session: OpenSession): void {
  const { project } = session.summary
  if (project !== null) roots.set(session, projectRoot(machine, project))
}

export function rootOfSession(session: OpenSession): string | null {
  return roots.get(session) ?? session.summary.project
}

function findRoot(machine: Machine, start: string): string {
  const recorded = recordedRoot(machine, start)
  if (recorded !== null) return recorded
  const repository = findRepository(start)
  if (repository === null || repository.top === start || hasStore(machine, start)) return start
  const isTooMuch =
    !isAllowed(machine, repository.top) || isIgnoredIn(start, repository, userGit(machine))
  return isTooMuch ? start : repository.top
}

/** The top of the repository around a root, if recording stops below it; else null. */
export function unwatchedTop(path: string): string | null {
  const top = findRepository(path)?.top ?? path
  return top === path ? null : top
}

/**
 * Records the root of a start directory. Otherwise the directory would lose its history once the
 * repository is removed, or another one is created further down.
 */
export function recordRootOf(machine: Machine, start: string, root: string): void {
  if (start === root || recordedRoot(machine, start) !== null) return
  const directory = makePrivateDirectory(machine.disk, machine.places.data, [STARTS])
  writeOnce(machine.disk, directory, nameOf(start), nameBytes(root))
}

const STARTS = 'starts'

function nameOf(start: string): string {
  return shortDigest(nameBytes(start)).slice(0, 32)
}

/** Also null if the root no longer exists, or is not above the directory. */
function recordedRoot({ places, disk }: Machine, start: string): string | null {
  const path = `${places.data}/${STARTS}/${nameOf(start)}`
  if (disk.stat(nameBytes(path))?.kind !== 'file') return null
  const root = readOwnFile(disk, path)?.toString('utf8') ?? ''
  const isAbove = start.startsWith(`${root}/`) && root.startsWith('/')
  return isAbove && isDirectory(disk, root) ? root : null
}

function isDirectory(disk: Disk, path: string): boolean {
  return disk.stat(nameBytes(path))?.kind === 'directory'
}

function hasStore({ places: { data }, disk }: Machine, path: string): boolean {
  const stat = disk.stat(nameBytes(path))
  if (stat?.kind !== 'directory') return false
  const key = findProjectKey(disk, data, { path, stat })
  return disk.stat(nameBytes(`${data}/projects/${key}/store.db`)) !== null
}

/** Never a home directory or a parent of it, and never a top-level directory of the system. */
function isAllowed({ places: { home, data }, disk }: Machine, path: string): boolean {
  const stat = disk.stat(nameBytes(path))
  if (stat?.kind !== 'directory' || path.lastIndexOf('/') === 0) return false
  try {
    refuseScope({ disk, root: { path, stat }, home, store: data })
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
