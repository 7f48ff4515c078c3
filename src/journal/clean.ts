import {
  errnoOf,
  makePrivateDirectory,
  nameBytes,
  nameText,
  pinRoot,
  readEntry,
  type FoundEntry,
  type PinnedDirectory,
} from '#disk'
import { notePathLate, setOperationState, write, writeSoon, type Operation } from '#store'
import { holds, keep } from './found-value.ts'
import type { Journal } from './journal.ts'
import { atSite, readSpot, removeSpot, type Site, type WhenGone } from './site.ts'
import { syncAnchors } from './stage.ts'

export const QUARANTINE = 'quarantine'
const QUARANTINE_MS = 24 * 60 * 60 * 1000

/**
 * Removes an ended operation's files next to their targets. A program that had an old file open may
 * have saved into it after the move; such bytes are stored and recorded.
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
  // Not synced: if a power cut loses this record, the next start finds nothing to remove and writes
  // it again.
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
  // Another program renamed a directory to this name. It is not ours.
  if (old.kind === 'absent' || old.kind === 'directory') return
  if (!holds(old, site.change.pre)) note(journal, tag, n, old)
  if (old.kind === 'file' && quarantine !== null)
    if (moveToQuarantine(site, `${quarantine}/${journal.now()}.${tag}-${n}`)) return
  removeSpot(site.aside)
}

function note({ store }: Journal, tag: string, n: number, found: FoundEntry): void {
  write(store, () => notePathLate(store, tag, n, keep(store, found)))
}

/**
 * An editor may hold the old file open for hours and then save into it. So the file itself, not
 * only its bytes, stays in quarantine for a day. This does not work across file systems.
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

/** Deletes files that were in quarantine for a day, after storing what was saved into them. */
export function sweepQuarantine(journal: Journal): number {
  const { store, root } = journal
  const path = `${store.directory}/${QUARANTINE}`
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
  note(journal, tag, Number(n), found)
  directory.disk.unlink(directory.at(name))
  return true
}
