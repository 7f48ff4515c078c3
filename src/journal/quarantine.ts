import {
  errnoOf,
  makePrivateDirectory,
  nameBytes,
  nameText,
  pinRoot,
  readEntry,
  writeFailure,
  type FoundEntry,
  type PinnedDirectory,
  type Spot,
} from '#disk'
import { notePathLate, write, type Operation, type Store } from '#store'
import { keep } from './found-value.ts'
import type { Journal } from './journal.ts'

// An editor may hold an old file open for hours and then save into it. So the file itself, not only
// its bytes, stays in quarantine for a day.

const QUARANTINE = 'quarantine'
const QUARANTINE_MS = 24 * 60 * 60 * 1000

export function quarantinePath({ directory }: Store): string {
  return `${directory}/${QUARANTINE}`
}

export function makeQuarantine(store: Store): void {
  try {
    makePrivateDirectory(store.disk, store.directory, [QUARANTINE])
  } catch (error) {
    throw errnoOf(error) === undefined ? error : writeFailure(error, quarantinePath(store))
  }
}

/** The name of an old file there. The time comes first, so that a sweep needs no stat. */
export function quarantineSpot(store: Store, { at, tag }: Operation, n: number): Spot {
  const { disk } = store
  const path = quarantinePath(store)
  return {
    directory: { disk, at: (name) => nameBytes(`${path}/${name}`) },
    name: `${at}.${tag}-${n}`,
  }
}

/** Stores what a program saved into an old file after it was moved. */
export function noteLate({ store }: Journal, tag: string, n: number, found: FoundEntry): void {
  write(store, () => notePathLate(store, tag, n, keep(store, found)))
}

/** Deletes files that were in quarantine for a day, after storing what was saved into them. */
export function sweepQuarantine(journal: Journal): number {
  const { store, root } = journal
  const path = quarantinePath(store)
  if (root.disk.stat(nameBytes(path)) === null) return 0
  const directory = pinRoot(root.disk, path)
  try {
    const names = root.disk.list(directory.at('.')).map(nameText)
    // By name, because a stat of each file would slow down every operation on a busy day.
    const due = names.filter((name) => !isRecentByName(Number.parseInt(name, 10), journal.now()))
    return due.filter((name) => dropQuarantined(journal, directory, name)).length
  } finally {
    directory.close()
  }
}

/**
 * False if the name has no time, or one in the future from a wrong clock. Then the file's own ctime
 * decides.
 */
function isRecentByName(at: number, now: number): boolean {
  return at <= now && at + QUARANTINE_MS > now
}

function dropQuarantined(journal: Journal, directory: PinnedDirectory, name: string): boolean {
  const stat = directory.disk.stat(directory.at(name))
  if (stat === null || Number(stat.changed / 1_000_000n) + QUARANTINE_MS > journal.now())
    return false
  const found = readEntry(directory, name)
  const [, tag, n] = /^(?:\d+\.)?(.*)-(\d+)$/u.exec(name) ?? []
  if (found.kind !== 'file' || tag === undefined) return false
  noteLate(journal, tag, Number(n), found)
  directory.disk.unlink(directory.at(name))
  return true
}
