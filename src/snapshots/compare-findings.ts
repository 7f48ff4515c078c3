import {
  foldingOf,
  folds,
  isUnchanged,
  kindOf,
  splitLast,
  type Finding,
  type RowEntry,
  type ScanStat,
} from '#disk'
import { Failure } from '#failure'
import { absent, type ProjectPath } from '#timeline'
import {
  join,
  millis,
  note,
  NOTHING,
  tryList,
  tryLstat,
  wholePath,
  type Comparison,
  type Differences,
} from './comparison.ts'
import { directoryMode, valueOf, type LeftOutWhy } from './entry-value.ts'
import { forgetBelow, recordGone } from './lost-entries.ts'
import { noteIgnored, noteLeftAlone } from './note-left-alone.ts'
import { isReserved, judge } from './scope.ts'
import { takePlain } from './take-plain.ts'

/**
 * The origin of entries that are not in the table. In a directory that was listed before, they are
 * new (`created`). In one that was out of scope, they may be old (`entered`).
 */
type Origin = 'known' | 'created' | 'entered'

export function noDifferences(): Differences {
  return {
    changed: new Map(),
    entered: new Map(),
    madeDirectories: new Set(),
    goneDirectories: new Map(),
  }
}

/** Checks each finding on disk, records the differences, and updates the draft. */
export function compareFindings(
  given: Omit<Comparison, 'listed'>,
  findings: readonly Finding[],
): void {
  const c: Comparison = { ...given, listed: new Set() }
  // Parents first: a parent may remove its children from the draft.
  for (const { path, names } of findings.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (c.draft.open(path) === undefined && !(path === '' && c.draft.isFirst)) continue
    const { isSame } = c.scopeAt(path)
    if (names === 'list-again' || !isSame) {
      const origin = c.draft.isFirst ? 'entered' : 'known'
      const outcome = relist(c, path, { isDeep: !isSame || c.draft.isFirst, origin })
      if (outcome !== 'done') {
        // An empty listing would report that every file of the project was deleted.
        if (path === '') throw new Failure('project-unreadable', `${c.root.path} cannot be listed.`)
        const { parent, name } = splitLast(path)
        checkEntry(c, parent, name, { isDeep: false, origin: 'known' })
      }
    } else {
      const listed = listedNames(c, path)
      for (const name of names)
        if (listed?.has(name) === false) recordGone(c, path, name)
        else checkEntry(c, path, name, { isDeep: false, origin: 'known' })
    }
  }
}

/**
 * The names in a directory, if its volume folds names: a lookup of `Foo` finds `foo` there, so only
 * the listing tells that `Foo` is gone. Null elsewhere.
 */
function listedNames(c: Comparison, path: string): ReadonlySet<string> | null {
  if (!folds(foldingOf(c.root.disk, c.root))) return null
  const listed = tryList(wholePath(c, path))
  return typeof listed === 'string' ? null : new Set(listed.map(({ name }) => name))
}

export interface CheckOptions {
  /** Also descends into subdirectories that are in the table. */
  readonly isDeep: boolean
  readonly origin: Origin
  /** The scope's verdict, for the entry kind that the directory listing reported. */
  readonly isDirectory?: boolean
  readonly verdict?: ReturnType<typeof judge>
}

function relist(
  c: Comparison,
  path: string,
  how: CheckOptions,
  seen?: ScanStat,
): 'done' | 'gone' | 'unreadable' {
  if (c.listed.has(path)) return 'done'
  const taken = how.origin === 'entered' ? takePlain(c, path, checkEntry) : null
  if (taken !== null) {
    const { parent, name } = splitLast(path)
    if (path !== '') c.draft.fill(parent, name, null, taken)
    return 'done'
  }
  const at = wholePath(c, path)
  const stat = seen ?? tryLstat(at)
  if (stat === 'unreadable') return stat
  if (stat === null || kindOf(stat) !== 'directory') return 'gone'
  // Another file system was mounted over it: its files are hidden, not deleted.
  if (path !== '' && stat.dev !== c.root.stat.device) return 'unreadable'
  c.listener.enter(path, stat.ino)
  const listed = tryList(at)
  if (typeof listed === 'string') return listed
  c.listed.add(path)

  const holds = (wanted: string): boolean => listed.some(({ name }) => name === wanted)
  c.intake.listed(path, holds)
  const { now } = c.scopeAt(path, holds)

  // Uses the stat from before the listing: a name that appears after it changes these times.
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
      if (!names.has(name) && entry.kind !== 'absent') recordGone(c, path, name)
  }
  for (const { name, isDirectory } of listed) {
    const verdict = judge(now, name, { isDirectory })
    // Skip unknown names in ignored directories without a stat.
    if (verdict === 'out' && now.isPartial && known?.entries.has(name) !== true) continue
    checkEntry(c, path, name, { isDeep: how.isDeep, origin: how.origin, isDirectory, verdict })
  }
  return 'done'
}

function checkEntry(c: Comparison, directory: string, name: string, how: CheckOptions): void {
  const path = join(directory, name)
  const stat = tryLstat(wholePath(c, path))
  if (stat === null) return recordGone(c, directory, name)
  if (stat === 'unreadable') return leaveUnreadable(c, directory, name)
  const { now, before } = c.scopeAt(directory)
  if (now.without.has(path)) return
  const kind = kindOf(stat)
  const isDirectory = kind === 'directory'
  const judged =
    how.verdict !== undefined && how.isDirectory === isDirectory
      ? how.verdict
      : judge(now, name, { isDirectory })
  const entry = c.draft.open(directory)!.entries.get(name)
  const verdict = keepInScope(entry, name, isDirectory, judged)
  if (verdict === 'out') {
    // The kind changed: the old entry is gone.
    if (entry !== undefined && entry.kind !== 'left-out') recordGone(c, directory, name)
    return noteLeftAlone(c, { directory, name, stat, origin: how.origin })
  }
  const isKnown = entry !== undefined && entry.kind !== 'rules'
  // If the last scan recorded ignored directories, one that is not in the table is new.
  const isNoted = isDirectory && entry === undefined && c.sawIgnored && before?.isPartial === false
  const origin =
    isKnown || how.origin !== 'known'
      ? how.origin
      : isNoted || (before !== null && judge(before, name, { isDirectory }) === 'in')
        ? 'created'
        : 'entered'
  const spot = { directory, name, path, stat, entry: isKnown ? entry : undefined }
  if (!isDirectory) checkFile(c, spot, origin)
  else checkDirectory(c, spot, { isDeep: how.isDeep, origin }, verdict === 'partial')
}

/**
 * A path that was in scope once stays in scope, even if an ignore file excludes it now (sem.A7).
 */
function keepInScope(
  entry: RowEntry | undefined,
  name: string,
  isDirectory: boolean,
  judged: ReturnType<typeof judge>,
): ReturnType<typeof judge> {
  if (judged !== 'out' || entry === undefined || isReserved(name)) return judged
  const { kind, text } = entry
  if (isDirectory) return kind === 'directory' ? 'partial' : 'out'
  if (kind === 'left-out') return text === 'ignored' ? 'out' : 'in'
  return kind === 'file' || kind === 'symlink' || kind === 'absent' ? 'in' : 'out'
}

interface Spot {
  readonly directory: string
  readonly name: string
  readonly path: string
  readonly stat: ScanStat
  readonly entry: RowEntry | undefined
}

function checkDirectory(c: Comparison, spot: Spot, how: CheckOptions, isPartial: boolean): void {
  const { directory, name, path, stat, entry } = spot
  const leaveOut = (why: 'other-file-system' | 'unreadable'): void => {
    if (entry?.kind === 'directory') forgetBelow(c, path, why)
    // Do not store the times of a mount point: they belong to the other file system.
    c.draft.set(directory, name, leftOut(why, Number(stat.mode)))
  }
  if (stat.dev !== c.root.stat.device) return leaveOut('other-file-system')
  const isMarked = isPartial && !c.scopeAt(directory).now.isPartial
  const text = isMarked ? 'ignored' : ''
  let outcome: ReturnType<typeof relist>
  if (entry?.kind === 'directory') {
    const { self } = c.draft.open(path)!
    const isOther = self.inode !== stat.ino || self.isPartial !== isPartial
    const isSame = self.changed === stat.ctimeNs && self.modified === stat.mtimeNs
    if (!how.isDeep && !isOther && isSame) return
    if (!isPartial && (entry.mode & 0o7777) !== (Number(stat.mode) & 0o7777))
      c.found.changed.set(path as ProjectPath, {
        before: directoryMode(entry.mode),
        after: directoryMode(Number(stat.mode)),
        changedAt: millis(stat.ctimeNs),
      })
    // Keep the last mode: undo needs it to recreate the directory.
    if (isMarked && self.modified !== stat.mtimeNs) noteIgnored(c, path, stat)
    c.draft.set(directory, name, { ...entry, mode: Number(stat.mode), text })
    outcome = relist(c, path, { isDeep: how.isDeep || isOther, origin: 'known' }, stat)
  } else {
    // A file stood here, so everything in this directory is newer. After any other entry, the
    // origin is uncertain.
    const isFile = entry !== undefined && isNoDirectory(entry)
    if (isFile) note(c, path, valueOf(entry), absent, null)
    const origin = isFile ? 'created' : entry?.kind === 'left-out' ? 'entered' : how.origin
    if (origin === 'created' && !isPartial) c.found.madeDirectories.add(path as ProjectPath)
    c.draft.set(directory, name, { ...NOTHING, kind: 'directory', mode: Number(stat.mode), text })
    outcome = relist(c, path, { isDeep: true, origin }, stat)
  }
  if (outcome === 'unreadable') leaveOut('unreadable')
  if (outcome === 'gone') recordGone(c, directory, name)
}

const NO_DIRECTORY = new Set(['special', 'too-big', 'over-limit', 'hard-linked'])

function isNoDirectory({ kind, text }: RowEntry): boolean {
  return kind === 'file' || kind === 'symlink' || (kind === 'left-out' && NO_DIRECTORY.has(text))
}

function leaveUnreadable(c: Comparison, directory: string, name: string): void {
  const entry = c.draft.open(directory)!.entries.get(name)
  if (
    judge(c.scopeAt(directory).now, name, { isDirectory: false }) === 'out' &&
    entry === undefined
  )
    return
  const path = join(directory, name)
  const next = leftOut('unreadable', 0)
  if (entry?.kind === 'directory') forgetBelow(c, path, 'unreadable')
  else if (entry !== undefined) note(c, path, valueOf(entry), valueOf(next), null)
  c.draft.set(directory, name, next)
}

function leftOut(why: LeftOutWhy, mode: number): RowEntry {
  return { ...NOTHING, kind: 'left-out', mode, text: why, isDoubtful: true }
}

function checkFile(c: Comparison, spot: Spot, origin: Origin): void {
  const { directory, name, path, stat, entry } = spot
  if (entry !== undefined && entry.kind !== 'absent' && isUnchanged(entry, stat)) return
  if (entry?.kind === 'directory') recordGone(c, directory, name)
  const hasEntered = entry === undefined && origin === 'entered'
  const next = c.intake.take(path, stat, { mayBorrow: hasEntered })
  if (next === null) return recordGone(c, directory, name)
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

/** A file whose content was not captured changed anyway. The change must be reported. */
function isTouched(entry: RowEntry, next: RowEntry): boolean {
  if (entry.kind !== 'left-out' || next.kind !== 'left-out' || next.text === 'special') return false
  return entry.inode !== next.inode || entry.size !== next.size || entry.modified !== next.modified
}
