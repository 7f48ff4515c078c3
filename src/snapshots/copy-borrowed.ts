import { decodeRow, lstatForScan, readValue, type PinnedRoot } from '#disk'
import { hasContent, putContent, write } from '#store'
import type { ContentId } from '#timeline'
import { join } from './comparison.ts'
import { findRepository } from './git-directory.ts'
import { DEFAULT_LIMITS } from './intake.ts'
import { loadTable } from './load-table.ts'
import { borrowingOf, type Project } from './observe.ts'

/**
 * Copies contents that are borrowed from git into the store, and says which nobody has any more.
 * Their values are unknown from then on (sem.K3, A6).
 */
export function copyBorrowed(project: Project, ids: Iterable<ContentId>): { missing: ContentId[] } {
  const borrowing = borrowingOf(project, findRepository(project.root.path))
  return write(project.store, () => {
    const missing: ContentId[] = []
    for (const id of ids) {
      if (hasContent(project.store, id)) continue
      const bytes = borrowing?.read(id) ?? null
      if (bytes === null) missing.push(id)
      else putContent(project.store, bytes)
    }
    return { missing }
  })
}

/**
 * Copies everything of the last observation that is only borrowed, from git or, where git has lost
 * it, from the file itself: nothing of it can be put back once both are gone (sem.K3). What does
 * not fit into `most` bytes stays borrowed.
 */
export function copyAllBorrowed(project: Project, most = DEFAULT_LIMITS.observation): void {
  const { store, root, of } = project
  const table = loadTable(store, undefined, of)
  if (table === null) return
  const borrowing = borrowingOf(project, findRepository(root.path))
  const missing = [...table.rows].flatMap(([directory, row]) =>
    [...decodeRow(row).entries]
      .filter(([, { kind, id }]) => kind === 'file' && !hasContent(store, id as ContentId))
      .map(([name, { id, size }]) => ({ path: join(directory, name), id, size: Number(size) })),
  )
  if (missing.length === 0) return
  let left = most
  write(store, () => {
    for (const { path, id, size } of missing) {
      if (size > left) continue
      const bytes = borrowing?.read(id as ContentId) ?? readSame(root, path, id)
      if (bytes === null) continue
      putContent(store, bytes)
      left -= bytes.length
    }
  })
}

/**
 * The same for a repository that is small, where borrowing saves little and can cost everything.
 * Git's index tells its size before anything is read.
 */
export function copySmallRepository(project: Project): void {
  const repository = findRepository(project.root.path)
  const index = repository === null ? null : lstatForScan(`${repository.directory}/index`)
  if (index === null || Number(index.size) > SMALL_INDEX) return
  copyAllBorrowed(project, SMALL_REPOSITORY)
}

/** About 5,000 files. */
const SMALL_INDEX = 512 * 1024
const SMALL_REPOSITORY = 32 * 1024 * 1024

function readSame(root: PinnedRoot, path: string, id: string): Buffer | null {
  try {
    const found = readValue(root, path)
    return found.kind === 'file' && found.content === id ? found.bytes : null
  } catch {
    // It stays as it is: borrowed, and unknown if it changes.
    return null
  }
}
