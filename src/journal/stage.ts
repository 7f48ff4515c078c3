import { setImmediate } from 'node:timers/promises'
import {
  readBackStaged,
  stageFile,
  stageSymlink,
  supportsLinks,
  syncTogether,
  type Staged,
} from '#disk'
import { Failure } from '#failure'
import { getContent, setOperationState, type Operation } from '#store'
import type { Journal, Running } from './journal.ts'
import { interrupted } from './run-steps.ts'
import { atSite, removeSpot, type WhenGone } from './site.ts'
import { statSpot } from './move-path.ts'

/** Sync after this many files. Each stays open until then. */
const BATCH_SIZE = 64

/** Writes every new file next to its target, syncs them, and records `staged`. */
export async function stageAll(
  journal: Journal,
  operation: Operation,
  { signal, progress }: Running = {},
): Promise<void> {
  const { root } = journal
  const open: Staged[] = []
  const total = operation.paths.length
  let areLinksTested = false
  try {
    for (const n of operation.paths.keys()) {
      if (operation.paths[n]!.post.kind === 'absent') continue
      await setImmediate()
      if (signal?.aborted === true) throw interrupted()
      progress?.({ phase: 'preparing', done: n, total })
      const isFile = operation.paths[n]!.post.kind === 'file'
      open.push(stageOne(journal, operation, n, isFile && !areLinksTested))
      areLinksTested ||= isFile
      if (open.length === BATCH_SIZE) await settle([])
    }
    await settle(anchorsOf(operation))
  } finally {
    closeAll()
  }
  setOperationState(journal.store, operation.id, { state: 'staged' })

  async function settle(directories: readonly string[]): Promise<void> {
    const files = open.flatMap(({ file }) => file ?? [])
    await syncTogether(root, { files, directories })
    for (const staged of open) readBackStaged(root.disk, staged)
    closeAll()
  }

  function closeAll(): void {
    for (const { file } of open.splice(0)) if (file !== null) root.disk.close(file)
  }
}

function stageOne(
  { root, store }: Journal,
  operation: Operation,
  n: number,
  testLinks: boolean,
): Staged {
  return atSite(root, operation, n, 'fail', ({ change: { post }, target, stage, probe }) => {
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
    atSite(journal.root, operation, n, whenGone, ({ stage, probe }) => {
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

export async function syncAnchors({ root }: Journal, operation: Operation): Promise<void> {
  await syncTogether(root, { directories: anchorsOf(operation) })
}

function anchorsOf({ paths }: Operation): string[] {
  return paths.map(({ anchor }) => anchor)
}
