import { decodeRow, lstatForScan, readValue, type PinnedRoot } from '#disk'
import { hasContent, putContent, write } from '#store'
import type { ContentId } from '#timeline'
import { join } from './comparison.ts'
import { findRepository } from './git-directory.ts'
import { DEFAULT_LIMITS } from './intake.ts'
import { loadTable } from './load-table.ts'
import { borrowingOf, type Project } from './observe.ts'

/**
 * Copies contents borrowed from git into the store, and returns those that neither holds any more.
 * Their values become unknown (sem.K3, A6).
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
 * Copies every borrowed content of the last observation into the store: from git or, if git lost
 * it, from the file itself. Once both are gone, it cannot be restored (sem.K3). Contents beyond
 * `limit` bytes stay borrowed.
 */
export function copyAllBorrowed(project: Project, limit = DEFAULT_LIMITS.observation): void {
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
  let left = limit
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
 * Does the same if the repository is small: there borrowing saves little, and a lost object cannot
 * be restored. The size of git's index decides, so nothing large is read.
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
    // It stays borrowed, and becomes unknown if it changes.
    return null
  }
}
