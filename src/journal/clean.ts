import {
  errnoOf,
  makePrivateDirectory,
  nameBytes,
  nameText,
  pinRoot,
  readEntry,
  type Found,
  type PinnedDirectory,
} from '#disk'
import { notePathLate, setOperationState, write, writeSoon, type Operation } from '#store'
import { holds, keep } from './found-value.ts'
import type { Journal } from './journal.ts'
import { atSite, readSpot, removeSpot, type Site, type WhenGone } from './site.ts'
import { syncAnchors } from './stage.ts'

export const QUARANTINE = 'quarantine'
const LONG_ENOUGH = 24 * 60 * 60 * 1000

/**
 * Removes the files of an ended operation from beside their targets. A program that had an old
 * file open may have saved into it after it was moved aside: such bytes are kept and noted.
 */
export async function clean(
  journal: Journal,
  operation: Operation,
  whenGone: WhenGone,
): Promise<void> {
  const { root, store } = journal
  const quarantine = operation.paths.some(({ pre }) => pre.kind === 'file')
    ? makePrivateDirectory(store.disk, store.directory, [QUARANTINE])
    : null
  for (const n of operation.paths.keys())
    atSite(root, operation, n, whenGone, (site) => {
      dropAside(journal, operation, n, site, quarantine)
      removeSpot(site.stage)
      removeSpot(site.probe)
    })
  const { conversation, state } = operation
  if (state === 'committed' && conversation !== null)
    journal.conversations.tidy(store.disk, conversation)
  if (operation.paths.length > 0) await syncAnchors(journal, operation)
  // The names are gone for good by now. If a power cut takes this record, the next start finds
  // nothing to remove and writes it again: that is no reason to wait for the disk.
  writeSoon(store, () =>
    setOperationState(store, operation.id, { state: operation.state, tidy: true }),
  )
}

function dropAside(
  journal: Journal,
  { tag }: Operation,
  n: number,
  site: Site,
  quarantine: string | null,
): void {
  const old = readSpot(site.aside)
  // A directory that came there by somebody's rename is nothing of ours.
  if (old.kind === 'absent' || old.kind === 'directory') return
  if (!holds(old, site.change.pre)) note(journal, tag, n, old)
  if (old.kind === 'file' && quarantine !== null)
    if (moveToQuarantine(site, `${quarantine}/${journal.now()}.${tag}-${n}`)) return
  removeSpot(site.aside)
}

function note({ store }: Journal, tag: string, n: number, found: Found): void {
  write(store, () => notePathLate(store, tag, n, keep(store, found)))
}

/**
 * An editor may hold the old file open for hours and save into it then. So the file itself, not
 * only its bytes, stays for a day where nobody sees it. On another disk that is not possible.
 */
function moveToQuarantine({ aside }: Site, path: string): boolean {
  try {
    aside.directory.disk.rename(aside.directory.at(aside.name), nameBytes(path))
    return true
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') return false
    throw error
  }
}

/** Drops what has been in quarantine for a day, after keeping what was saved into it. */
export function sweepQuarantine(journal: Journal): number {
  const { store, root } = journal
  const path = `${store.directory}/${QUARANTINE}`
  if (root.disk.stat(nameBytes(path)) === null) return 0
  const directory = pinRoot(root.disk, path)
  try {
    const names = root.disk.list(directory.at('.')).map(nameText)
    // By their names: to look at each file of a busy day would slow every operation of that day.
    const due = names.filter((name) => !cameToday(Number.parseInt(name, 10), journal.now()))
    return due.filter((name) => dropQuarantined(journal, directory, name)).length
  } finally {
    directory.close()
  }
}

/** Not where the name has no time, or one to come, by a clock that was wrong: the file itself tells. */
function cameToday(at: number, now: number): boolean {
  return at <= now && at + LONG_ENOUGH > now
}

function dropQuarantined(journal: Journal, directory: PinnedDirectory, name: string): boolean {
  const stat = directory.disk.stat(directory.at(name))
  if (stat === null || Number(stat.changed / 1_000_000n) + LONG_ENOUGH > journal.now()) return false
  const found = readEntry(directory, name)
  const [, tag, n] = /^(?:\d+\.)?(.*)-(\d+)$/u.exec(name) ?? []
  if (found.kind !== 'file' || tag === undefined) return false
  note(journal, tag, Number(n), found)
  directory.disk.unlink(directory.at(name))
  return true
}
