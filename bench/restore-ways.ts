import { fileSteps } from '#agents'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, copyFileSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blobId, durableDisk, nameBytes, pinRoot } from '#disk'
import { applyPlan, type Journal } from '#journal'
import { openStore, putContent, takeWriter, write } from '#store'
import type { ContentId, ProjectPath, Value } from '#timeline'
import type { Way } from './measure.ts'
import { edit, gitEnvironment } from './snapshots-tree.ts'

/** Throws if a file was not restored, so that no figure measures something else. */
export function checked(repo: string, paths: readonly string[], act: () => unknown): Way {
  const right = paths.map((path) => readFileSync(join(repo, path)))
  return {
    before: () => edit(repo, paths),
    act,
    after() {
      for (const [n, path] of paths.entries())
        if (!readFileSync(join(repo, path)).equals(right[n]!))
          throw new Error(`${path} is not back`)
    },
  }
}

/** The journal alone, in a process that has store and root open. */
export function restoreWay({
  data,
  repo,
  paths,
}: {
  data: string
  repo: string
  paths: readonly string[]
}): { way: Way } & Disposable {
  const stat = durableDisk.stat(nameBytes(repo))!
  const store = openStore({ data, root: { path: repo, stat }, disk: durableDisk })
  const root = pinRoot(durableDisk, repo, { never: [store.identity] })
  const contentOf = (path: string): Value => {
    const bytes = readFileSync(join(repo, path))
    return { kind: 'file', content: blobId(bytes) as ContentId, mode: 0o644 }
  }
  write(store, () => {
    for (const path of paths) putContent(store, readFileSync(join(repo, path)))
  })
  const right = paths.map(contentOf)
  const way = checked(repo, paths, async () => {
    await using writer = await takeWriter(store)
    const journal: Journal = {
      store,
      root,
      writer,
      commit() {},
      now: Date.now,
      newTag: randomUUID,
      conversations: fileSteps,
      reserve: 0,
    }
    const changes = paths.map((path, n) => {
      return { path: path as ProjectPath, pre: contentOf(path), post: right[n]! }
    })
    await applyPlan(journal, { verb: 'restore', session: null, details: {}, changes })
  })
  return {
    way,
    [Symbol.dispose]() {
      root.close()
      store.close()
    },
  }
}

/**
 * Has its own up-to-date index, so git writes only what differs. Git syncs that index and nothing
 * else, with any setting. The restored files survive a power cut only after a sync of each file and
 * of each directory in which a name changed.
 */
export function gitWay({
  repo,
  index,
  paths,
  syncsFiles,
}: {
  repo: string
  index: string
  paths: readonly string[]
  syncsFiles: boolean
}): Way {
  copyFileSync(join(repo, '.git/index'), index)
  const env = { ...gitEnvironment, GIT_INDEX_FILE: index }
  const args = ['-c', 'core.fsync=all', 'read-tree', '-u', '--reset', 'HEAD']
  const whole = paths.map((path) => join(repo, path))
  const synced = syncsFiles ? [...whole, ...new Set(whole.map((path) => dirname(path)))] : []
  return checked(repo, paths, () => {
    execFileSync('git', args, { cwd: repo, env })
    for (const path of synced) sync(path)
  })
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}
