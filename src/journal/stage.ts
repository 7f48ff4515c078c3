import { setImmediate } from 'node:timers/promises'
import {
  dropUnmade,
  inDirectory,
  ownNames,
  settleStaged,
  stageFile,
  stageSymlink,
  supportsLinks,
  tryInDirectory,
  type PinnedDirectory,
  type Staged,
} from '#disk'
import { Failure } from '#failure'
import { getContent, setOperationState, type Operation } from '#store'
import type { Journal, Running } from './journal.ts'
import { interrupted } from './run-steps.ts'
import { atSite, removeSpot, type WhenGone } from './site.ts'
import { statSpot } from './move-path.ts'

/** So many files are written before they are synced together; each is open meanwhile. */
const BATCH = 16

/** Lays every new file ready beside its target, durably, and writes that down. */
export async function stageAll(
  journal: Journal,
  operation: Operation,
  { signal, progress }: Running = {},
): Promise<void> {
  const open: Staged[] = []
  const { disk } = journal.root
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
      if (open.length === BATCH) settleAll()
    }
    settleAll()
  } finally {
    for (const { file } of open) if (file !== null) disk.close(file)
  }
  syncAnchors(journal, operation)
  setOperationState(journal.store, operation.id, { state: 'staged' })

  function settleAll(): void {
    for (let next = open.shift(); next !== undefined; next = open.shift()) settleStaged(disk, next)
  }
}

function stageOne(
  { root, store }: Journal,
  operation: Operation,
  n: number,
  tryLinks: boolean,
): Staged {
  const { anchor } = operation.paths[n]!
  const names = ownNames(operation.tag, n)
  const replaces = atSite(root, operation, n, 'fail', ({ target }) => statSpot(target))
  return inDirectory(root, anchor, (directory) => {
    const staged = write(directory, names.stage)
    if (tryLinks && !supportsLinks(directory, names.stage, names.probe)) {
      if (staged.file !== null) root.disk.close(staged.file)
      throw new Failure('no-hard-links', 'The file system of this project has no hard links.', {
        hint: 'Without them a file cannot be replaced safely. Nothing was changed.',
      })
    }
    return staged
  })

  function write(directory: PinnedDirectory, name: string): Staged {
    const { post } = operation.paths[n]!
    if (post.kind === 'symlink') return stageSymlink(directory, name, post.target)
    if (post.kind !== 'file') throw new Error(`nothing to stage for ${post.kind}`)
    return stageFile(directory, name, {
      bytes: getContent(store, post.content),
      content: post.content,
      mode: post.mode,
      replaces: replaces?.kind === 'file' ? replaces : null,
    })
  }
}

/** Removes what was laid ready, durably, after an error or a death before the first change. */
export function unstageAll(journal: Journal, operation: Operation, whenGone: WhenGone): void {
  for (const n of operation.paths.keys())
    atSite(journal.root, operation, n, whenGone, ({ stage, probe }) => {
      removeSpot(stage)
      removeSpot(probe)
    })
  dropSessions(journal, operation)
  syncAnchors(journal, operation)
}

/** Removes what was laid ready of sessions that do not come into being after all. */
export function dropSessions({ store }: Journal, { conversation }: Operation): void {
  if (conversation !== null && 'moves' in conversation) dropUnmade(store.disk, conversation)
}

export function syncAnchors({ root }: Journal, operation: Operation): void {
  for (const anchor of new Set(operation.paths.map((path) => path.anchor)))
    tryInDirectory(root, anchor, (directory) => root.disk.sync(directory.file))
}
