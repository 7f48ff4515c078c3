import {
  readBackStaged,
  stageFile,
  stageSymlink,
  supportsLinks,
  syncAll,
  syncTogether,
  type Disk,
  type Staged,
} from '#disk'
import { Failure } from '#failure'
import { getContent, setOperationState, type Operation } from '#store'
import type { Journal, Running } from './journal.ts'
import { interrupted } from './run-steps.ts'
import { atSite, removeSpot, statSpot, type WhenGone } from './site.ts'
import { takeTurns } from './take-turns.ts'

/** Sync after this many files. Each stays open until then. */
const BATCH_SIZE = 64

/** Writes every new file next to its target, syncs them, and records `staged`. */
export async function stageAll(
  journal: Journal,
  operation: Operation,
  { signal, progress }: Running = {},
): Promise<void> {
  const { disk } = journal.root
  const open: Staged[] = []
  const total = operation.paths.length
  const turns = takeTurns()
  let areLinksTested = false
  let settling = Promise.resolve()
  try {
    for (const n of operation.paths.keys()) {
      if (operation.paths[n]!.post.kind === 'absent') continue
      await turns.yieldIfDue()
      if (signal?.aborted === true) throw interrupted()
      progress?.({ phase: 'preparing', done: n, total })
      const isFile = operation.paths[n]!.post.kind === 'file'
      open.push(stageOne(journal, operation, n, isFile && !areLinksTested))
      areLinksTested ||= isFile
      if (open.length < BATCH_SIZE) continue
      await settling
      settling = settle(disk, open.splice(0))
      // Awaited later; until then an error must not count as unhandled.
      settling.catch(() => {})
    }
    await settling
    await settle(disk, open.splice(0))
    await syncAnchors(journal, operation)
  } finally {
    await settling.catch(() => {})
    closeAll(disk, open)
  }
  setOperationState(journal.store, operation.id, { state: 'staged' })
}

/** Syncs a batch and reads it back, while the next one is written. */
async function settle(disk: Disk, batch: readonly Staged[]): Promise<void> {
  try {
    await syncAll(
      disk,
      batch.flatMap(({ file }) => file ?? []),
    )
    for (const staged of batch) readBackStaged(disk, staged)
  } finally {
    closeAll(disk, batch)
  }
}

function closeAll(disk: Disk, batch: readonly Staged[]): void {
  for (const { file } of batch) if (file !== null) disk.close(file)
}

function stageOne(journal: Journal, operation: Operation, n: number, testLinks: boolean): Staged {
  return atSite(journal, operation, n, 'fail', ({ change: { post }, target, stage, probe }) => {
    const { root, store } = journal
    const { directory, name } = stage
    if (post.kind === 'symlink') return stageSymlink(directory, name, post.target)
    if (post.kind !== 'file') throw new Error(`nothing to stage for ${post.kind}`)
    const replaces = statSpot(target)
    const staged = stageFile(directory, name, {
      bytes: getContent(store, post.content),
      content: post.content,
      mode: post.mode,
      replaces: replaces?.kind === 'file' ? replaces : null,
    })
    if (testLinks && !supportsLinks(directory, name, probe.name)) {
      if (staged.file !== null) root.disk.close(staged.file)
      throw new Failure('no-hard-links', 'The file system of this project has no hard links.', {
        hint: 'Without them a file cannot be replaced safely. Nothing was changed.',
      })
    }
    return staged
  })!
}

/** Removes the staged files and syncs, after an error or crash before the first change. */
export async function unstageAll(
  journal: Journal,
  operation: Operation,
  whenGone: WhenGone,
): Promise<void> {
  for (const n of operation.paths.keys())
    atSite(journal, operation, n, whenGone, ({ stage, probe }) => {
      removeSpot(stage)
      removeSpot(probe)
    })
  abandonStep(journal, operation)
  await syncAnchors(journal, operation)
}

/** Removes what was prepared for a conversation step that will not run. */
export function abandonStep(journal: Journal, { conversation }: Operation): void {
  if (conversation !== null) journal.conversations.abandon(journal.store.disk, conversation)
}

async function syncAnchors({ root }: Journal, { paths }: Operation): Promise<void> {
  await syncTogether(root, { directories: paths.map(({ anchor }) => anchor) })
}
