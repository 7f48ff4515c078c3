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

/** So many files are written before they are synced together; each is open meanwhile. */
const BATCH = 64

/** Lays every new file ready beside its target, durably, and writes that down. */
export async function stageAll(
  journal: Journal,
  operation: Operation,
  { signal, progress }: Running = {},
): Promise<void> {
  const { root } = journal
  const open: Staged[] = []
  const total = operation.paths.length
  let isTried = false
  try {
    for (const n of operation.paths.keys()) {
      if (operation.paths[n]!.post.kind === 'absent') continue
      await setImmediate()
      if (signal?.aborted === true) throw interrupted()
      progress?.({ phase: 'preparing', done: n, total })
      const isFile = operation.paths[n]!.post.kind === 'file'
      open.push(stageOne(journal, operation, n, isFile && !isTried))
      isTried ||= isFile
      if (open.length === BATCH) await settle([])
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
  tryLinks: boolean,
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
    if (tryLinks && !supportsLinks(directory, name, probe.name)) {
      if (staged.file !== null) root.disk.close(staged.file)
      throw new Failure('no-hard-links', 'The file system of this project has no hard links.', {
        hint: 'Without them a file cannot be replaced safely. Nothing was changed.',
      })
    }
    return staged
  })!
}

/** Removes what was laid ready, durably, after an error or a death before the first change. */
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

/** Removes what was laid ready for a step of the conversation that is not taken after all. */
export function abandonStep(journal: Journal, { conversation }: Operation): void {
  if (conversation !== null) journal.conversations.abandon(journal.store.disk, conversation)
}

export async function syncAnchors({ root }: Journal, operation: Operation): Promise<void> {
  await syncTogether(root, { directories: anchorsOf(operation) })
}

function anchorsOf({ paths }: Operation): string[] {
  return paths.map(({ anchor }) => anchor)
}
