import { errnoOf, syncTogether, type FoundEntry } from '#disk'
import { setOperationState, writeSoon, type Operation } from '#store'
import { holds } from './found-value.ts'
import type { Journal } from './journal.ts'
import { makeQuarantine, noteLate, quarantineSpot } from './quarantine.ts'
import { atSite, readSpot, removeSpot, type Site, type WhenGone } from './site.ts'

/**
 * Removes an ended operation's files next to their targets. A program that had an old file open may
 * have saved into it after the move; such bytes are stored and recorded. After a crash it is unknown
 * which paths are `untidy`, and all are visited.
 */
export async function clean(
  journal: Journal,
  operation: Operation,
  whenGone: WhenGone,
  untidy: ReadonlySet<number> = new Set(operation.paths.keys()),
): Promise<void> {
  const { root, store } = journal
  for (const [n, { pre }] of operation.paths.entries()) {
    if (pre.kind === 'file')
      noteIfLate(journal, operation, n, readSpot(quarantineSpot(store, operation, n)))
    if (untidy.has(n))
      atSite(journal, operation, n, whenGone, (site) => {
        dropAside(journal, operation, n, site)
        removeSpot(site.stage)
        removeSpot(site.probe)
      })
  }
  const { conversation, state } = operation
  if (state === 'committed' && conversation !== null)
    journal.conversations.tidy(store.disk, conversation)
  const directories = [...untidy].map((n) => operation.paths[n]!.anchor)
  if (directories.length > 0) await syncTogether(root, { directories })
  // Not synced: if a power cut loses this record, the next start finds nothing to remove and writes
  // it again.
  writeSoon(store, () =>
    setOperationState(store, operation.id, { state: operation.state, tidy: true }),
  )
}

/** Stores and records an old file that a program saved into after it was moved. */
function noteIfLate(
  journal: Journal,
  { paths, tag }: Operation,
  n: number,
  found: FoundEntry,
): void {
  if (found.kind !== 'absent' && !holds(found, paths[n]!.pre)) noteLate(journal, tag, n, found)
}

function dropAside(journal: Journal, operation: Operation, n: number, site: Site): void {
  const old = readSpot(site.aside)
  // Another program renamed a directory to this name. It is not ours.
  if (old.kind === 'absent' || old.kind === 'directory') return
  noteIfLate(journal, operation, n, old)
  if (old.kind !== 'file' || !moveToQuarantine(journal, site)) removeSpot(site.aside)
}

/** An operation of an earlier version left the file there. This does not work across file systems. */
function moveToQuarantine({ store }: Journal, { aside, quarantined }: Site): boolean {
  makeQuarantine(store)
  try {
    const { directory, name } = quarantined
    aside.directory.disk.rename(aside.directory.at(aside.name), directory.at(name))
    return true
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') return false
    throw error
  }
}
