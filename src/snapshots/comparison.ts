import {
  errnoOf,
  isUnchanged,
  kindOf,
  listForScan,
  lstatForScan,
  splitLast,
  type Finding,
  type Listed,
  type PinnedRoot,
  type RowEntry,
  type ScanStat,
} from '#disk'
import { Failure } from '#failure'
import { absent, type ProjectPath, type Value } from '#timeline'
import type { ScopePair } from './directory-scopes.ts'
import { isSameLook, valueOf, type LeftOutWhy } from './entry-value.ts'
import type { Intake } from './intake.ts'
import { IGNORE_FILE, judge, stickyPaths, type StickyPaths } from './scope.ts'
import type { Draft } from './table.ts'

/** One path that differs from the last observation. */
export interface Change {
  readonly before: Value
  readonly after: Value
  /** When the file that stands there now was last changed, in ms; null when none does. */
  readonly changedAt: number | null
}

export interface Differences {
  readonly changed: Map<ProjectPath, Change>
  /** Came into scope and may have been there before: no creation (sem.A7). */
  readonly entered: Map<ProjectPath, Value>
  /** Left the scope and may still be there: no deletion. */
  readonly left: Set<ProjectPath>
  readonly madeDirectories: Set<ProjectPath>
  /** With their modes. */
  readonly goneDirectories: Map<ProjectPath, number>
}

/** Who wants to hear of changes in the directories that are in scope. */
export interface DirectoryListener {
  /** Before a directory is listed: what comes later is heard, what came before is seen. */
  enter(path: string, inode: bigint): void
  leave(path: string): void
}

interface Comparison {
  readonly root: PinnedRoot
  readonly draft: Draft
  readonly scopeAt: (directory: string, listed?: readonly Listed[]) => ScopePair
  readonly intake: Intake
  readonly racyFrom: bigint
  readonly sticky: StickyPaths
  readonly listener: DirectoryListener
  readonly found: Differences
  readonly listed: Set<string>
}

/**
 * How the entries of a directory that are not in the table came to be: in a directory that was
 * listed before they are new; in one that was out of scope nobody knows.
 */
type Origin = 'known' | 'created' | 'entered'

/** Looks at what was found to differ, and brings the draft up to date. */
export function compareFindings(
  given: Omit<Comparison, 'found' | 'listed'>,
  findings: readonly Finding[],
): Differences {
  const found: Differences = {
    changed: new Map(),
    entered: new Map(),
    left: new Set(),
    madeDirectories: new Set(),
    goneDirectories: new Map(),
  }
  const c: Comparison = { ...given, found, listed: new Set() }
  // A parent comes before its children and may do away with them.
  for (const { path, names } of findings.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (c.draft.open(path) === undefined && !(path === '' && c.draft.isFirst)) continue
    const { isSame } = c.scopeAt(path)
    if (names === 'list-again' || !isSame) {
      const origin = c.draft.isFirst ? 'entered' : 'known'
      const outcome = listAgain(c, path, { isDeep: !isSame || c.draft.isFirst, origin })
      if (outcome !== 'done') {
        // An empty listing instead would say that all of the project was deleted.
        if (path === '') throw new Failure('project-unreadable', `${c.root.path} cannot be listed.`)
        const { parent, name } = splitLast(path)
        lookAt(c, parent, name, { isDeep: false, origin: 'known' })
      }
    } else for (const name of names) lookAt(c, path, name, { isDeep: false, origin: 'known' })
  }
  return found
}

interface How {
  /** Subdirectories too, even those that are known. */
  readonly isDeep: boolean
  readonly origin: Origin
  /** The scope's verdict, given what the directory says about the entry's kind. */
  readonly isDirectory?: boolean
  readonly verdict?: ReturnType<typeof judge>
}

function listAgain(
  c: Comparison,
  path: string,
  how: How,
  seen?: ScanStat,
): 'done' | 'gone' | 'unreadable' {
  if (c.listed.has(path)) return 'done'
  const at = wholePath(c, path)
  const stat = seen ?? tryLstat(at)
  if (stat === 'unreadable') return stat
  if (stat === null || kindOf(stat) !== 'directory') return 'gone'
  // Something was mounted over it: what it held is not deleted, only out of sight.
  if (path !== '' && stat.dev !== c.root.stat.device) return 'unreadable'
  c.listener.enter(path, stat.ino)
  const listed = tryList(at)
  if (typeof listed === 'string') return listed
  c.listed.add(path)

  c.intake.listed(path, listed)
  const { now } = c.scopeAt(path, listed)

  // Taken before the listing: a name that comes after it leaves other times.
  const self = {
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
    inode: stat.ino,
    isDoubtful: stat.mtimeNs >= c.racyFrom || stat.ctimeNs >= c.racyFrom,
    isPartial: now.isPartial,
  }
  const known = c.draft.open(path)
  if (known === undefined) c.draft.create(path, self)
  else {
    c.draft.setSelf(path, self)
    const names = new Set(listed.map(({ name }) => name))
    for (const [name, entry] of known.entries)
      if (!names.has(name) && entry.kind !== 'absent') vanish(c, path, name)
  }
  for (const { name, isDirectory } of listed) {
    // An ignored entry costs nothing but this, unless something is known of it.
    const verdict = judge(now, name, { isDirectory })
    if (verdict === 'out' && name !== IGNORE_FILE && known?.entries.has(name) !== true) continue
    lookAt(c, path, name, { isDeep: how.isDeep, origin: how.origin, isDirectory, verdict })
  }
  return 'done'
}

function lookAt(c: Comparison, directory: string, name: string, how: How): void {
  const path = join(directory, name)
  const stat = tryLstat(wholePath(c, path))
  if (stat === null) return vanish(c, directory, name)
  if (stat === 'unreadable') return leaveUnreadable(c, directory, name)
  const { now, before } = c.scopeAt(directory)
  const kind = kindOf(stat)
  const isDirectory = kind === 'directory'
  const verdict =
    how.verdict !== undefined && how.isDirectory === isDirectory
      ? how.verdict
      : judge(now, name, { isDirectory })
  if (verdict === 'out') {
    if (name === IGNORE_FILE && kind === 'file' && !now.isPartial) keepRules(c, directory, stat)
    else leave(c, directory, name)
    return
  }
  const entry = c.draft.open(directory)!.entries.get(name)
  const isKnown = entry !== undefined && entry.kind !== 'rules'
  const origin =
    isKnown || how.origin !== 'known'
      ? how.origin
      : before !== null && judge(before, name, { isDirectory }) === 'in'
        ? 'created'
        : 'entered'
  const spot = { directory, name, path, stat, entry: isKnown ? entry : undefined }
  if (!isDirectory) lookAtFile(c, spot, origin)
  else lookAtDirectory(c, spot, { isDeep: how.isDeep, origin }, verdict === 'partial')
}

interface Spot {
  readonly directory: string
  readonly name: string
  readonly path: string
  readonly stat: ScanStat
  readonly entry: RowEntry | undefined
}

function lookAtDirectory(c: Comparison, spot: Spot, how: How, isPartial: boolean): void {
  const { directory, name, path, stat, entry } = spot
  const leaveOut = (why: 'other-file-system' | 'unreadable'): void => {
    if (entry?.kind === 'directory') forgetBelow(c, path, why)
    // Of a mount point only its being one counts: its times are those of the other file system.
    c.draft.set(directory, name, leftOut(why, Number(stat.mode)))
  }
  if (stat.dev !== c.root.stat.device) return leaveOut('other-file-system')
  let outcome: ReturnType<typeof listAgain>
  if (entry?.kind === 'directory') {
    const { self } = c.draft.open(path)!
    const isOther = self.inode !== stat.ino || self.isPartial !== isPartial
    const isSame = self.changed === stat.ctimeNs && self.modified === stat.mtimeNs
    if (!how.isDeep && !isOther && isSame) return
    // When it is gone one day it must come back with the mode that it had last.
    c.draft.set(directory, name, { ...entry, mode: Number(stat.mode) })
    outcome = listAgain(c, path, { isDeep: how.isDeep || isOther, origin: 'known' }, stat)
  } else {
    // A file stood here: what is in the directory came after it. Of what was left out nobody knows.
    const isFile = entry?.kind === 'file' || entry?.kind === 'symlink'
    if (isFile) note(c, path, valueOf(entry), absent, null)
    const origin = isFile ? 'created' : entry?.kind === 'left-out' ? 'entered' : how.origin
    if (origin === 'created' && !isPartial) c.found.madeDirectories.add(path as ProjectPath)
    c.draft.set(directory, name, { ...NOTHING, kind: 'directory', mode: Number(stat.mode) })
    outcome = listAgain(c, path, { isDeep: true, origin }, stat)
  }
  if (outcome === 'unreadable') leaveOut('unreadable')
  if (outcome === 'gone') vanish(c, directory, name)
}

function leaveUnreadable(c: Comparison, directory: string, name: string): void {
  const entry = c.draft.open(directory)!.entries.get(name)
  if (judge(c.scopeAt(directory).now, name, FILE) === 'out' && entry === undefined) return
  const path = join(directory, name)
  const next = leftOut('unreadable', 0)
  if (entry?.kind === 'directory') forgetBelow(c, path, 'unreadable')
  else if (entry !== undefined) note(c, path, valueOf(entry), valueOf(next), null)
  c.draft.set(directory, name, next)
}

function leftOut(why: LeftOutWhy, mode: number): RowEntry {
  return { ...NOTHING, kind: 'left-out', mode, text: why, isDoubtful: true }
}

/** A directory's stat is in its own row; here it would have to be written twice. */
const NOTHING = {
  size: 0n,
  modified: 0n,
  changed: 0n,
  inode: 0n,
  id: '',
  text: '',
  isDoubtful: false,
} as const

function lookAtFile(c: Comparison, spot: Spot, origin: Origin): void {
  const { directory, name, path, stat, entry } = spot
  if (entry !== undefined && entry.kind !== 'absent' && isUnchanged(entry, stat)) return
  if (entry?.kind === 'directory') vanish(c, directory, name)
  const hasEntered = entry === undefined && origin === 'entered'
  const next = c.intake.take(path, stat, { mayBorrow: hasEntered })
  if (next === null) return vanish(c, directory, name)
  c.draft.set(directory, name, next)
  if (hasEntered && c.draft.isFirst) return
  const after = valueOf(next)
  if (entry !== undefined && isTouched(entry, next))
    c.found.changed.set(path as ProjectPath, {
      before: valueOf(entry),
      after,
      changedAt: millis(next.changed),
    })
  else if (!hasEntered)
    note(c, path, entry === undefined ? absent : valueOf(entry), after, next.changed)
  else c.found.entered.set(path as ProjectPath, after)
}

/** What nobody could look into was changed all the same: that must not go unsaid. */
function isTouched(entry: RowEntry, next: RowEntry): boolean {
  if (entry.kind !== 'left-out' || next.kind !== 'left-out' || next.text === 'special') return false
  return entry.inode !== next.inode || entry.size !== next.size || entry.modified !== next.modified
}

/** An ignore file that ignores itself still has to be watched. */
function keepRules(c: Comparison, directory: string, stat: ScanStat): void {
  const entry = c.draft.open(directory)!.entries.get(IGNORE_FILE)
  if (entry?.kind === 'rules' && isUnchanged(entry, stat)) return
  if (entry !== undefined && entry.kind !== 'rules') leave(c, directory, IGNORE_FILE)
  const next = c.intake.take(join(directory, IGNORE_FILE), stat, { mayBorrow: true })
  if (next?.kind === 'file') c.draft.set(directory, IGNORE_FILE, { ...next, kind: 'rules' })
}

/** It is not there any more, in a directory that was listed. */
function vanish(c: Comparison, directory: string, name: string): void {
  const entry = c.draft.open(directory)?.entries.get(name)
  if (entry === undefined || entry.kind === 'absent') return
  const path = join(directory, name)
  if (entry.kind === 'directory') {
    const row = c.draft.open(path)
    if (row !== undefined && !row.self.isPartial)
      c.found.goneDirectories.set(path as ProjectPath, entry.mode & 0o7777)
    for (const below of row?.entries.keys() ?? []) vanish(c, path, below)
    dropRow(c, path)
  } else if (entry.kind !== 'rules') note(c, path, valueOf(entry), absent, null)

  // Only what is looked for by name is known to be absent in an ignored directory.
  const isSought =
    c.sticky.paths.has(path) &&
    judge({ ...c.scopeAt(directory).now, sticky: NO_PATHS }, name, FILE) === 'out'
  if (isSought) c.draft.set(directory, name, { ...NOTHING, kind: 'absent', mode: 0 })
  else c.draft.delete(directory, name)
}

const FILE = { isDirectory: false }
const NO_PATHS = stickyPaths([])

/** It is out of scope now. Whether it is there is nobody's business any more. */
function leave(c: Comparison, directory: string, name: string): void {
  const entry = c.draft.open(directory)!.entries.get(name)
  if (entry === undefined) return
  const path = join(directory, name)
  if (entry.kind === 'directory') {
    for (const below of c.draft.open(path)?.entries.keys() ?? []) leave(c, path, below)
    dropRow(c, path)
  } else if (entry.kind !== 'rules' && entry.kind !== 'absent')
    c.found.left.add(path as ProjectPath)
  c.draft.delete(directory, name)
}

/** What was in a directory that cannot be looked into any more is unknown, not absent (sem.A6). */
function forgetBelow(c: Comparison, directory: string, why: string): void {
  for (const [name, entry] of c.draft.open(directory)?.entries ?? []) {
    const path = join(directory, name)
    if (entry.kind === 'directory') forgetBelow(c, path, why)
    else if (entry.kind === 'file' || entry.kind === 'symlink') {
      const unknown: Value = { kind: 'unknown', why: `its directory could not be read (${why})` }
      note(c, path, valueOf(entry), unknown, null)
    }
    c.draft.delete(directory, name)
  }
  dropRow(c, directory)
}

function dropRow(c: Comparison, path: string): void {
  c.draft.drop(path)
  c.listener.leave(path)
}

function note(
  c: Comparison,
  path: string,
  before: Value,
  after: Value,
  changed: bigint | null,
): void {
  const first = c.found.changed.get(path as ProjectPath)?.before ?? before
  if (isSameLook(first, after)) c.found.changed.delete(path as ProjectPath)
  else {
    const changedAt = changed === null ? null : millis(changed)
    c.found.changed.set(path as ProjectPath, { before: first, after, changedAt })
  }
}

function millis(time: bigint): number {
  return Number(time / 1000n) / 1000
}

function join(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

function wholePath(c: Comparison, path: string): string {
  return path === '' ? c.root.path : `${c.root.path}/${path}`
}

function tryLstat(path: string): ScanStat | null | 'unreadable' {
  try {
    return lstatForScan(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return null
    if (errnoOf(error) === undefined) throw error
    return 'unreadable'
  }
}

function tryList(path: string): ReturnType<typeof listForScan> | 'gone' | 'unreadable' {
  try {
    return listForScan(path)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === undefined) throw error
    return errno === 'ENOENT' || errno === 'ENOTDIR' ? 'gone' : 'unreadable'
  }
}
