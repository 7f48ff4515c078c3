import { exactRoot, inDirectory, ownDirectoryName, splitLast, type PinnedDirectory } from '#disk'
import { Failure } from '#failure'
import type { Operation } from '#store'
import type { Journal } from './journal.ts'

/**
 * Renames a directory to another spelling of its name, with everything in it. `index` is that of the
 * step. The present names tell how far an earlier run got, so it can run again.
 */
export function respellDirectory(
  { root }: Journal,
  { tag }: Operation,
  index: number,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const { parent, name: old } = splitLast(from)
  const { name } = splitLast(to)
  const between = ownDirectoryName(tag, index)
  inDirectory(exactRoot(root), parent, (directory) => {
    if (isThere(directory, old)) rename(directory, old, name)
    // Some systems take the names for one and do nothing.
    if (isThere(directory, old)) rename(directory, old, between)
    if (!isThere(directory, between)) return
    if (isThere(directory, name)) throw occupied(to)
    rename(directory, between, name)
  })
}

function isThere(directory: PinnedDirectory, name: string): boolean {
  return directory.disk.stat(directory.at(name))?.kind === 'directory'
}

function rename(directory: PinnedDirectory, from: string, to: string): void {
  directory.disk.rename(directory.at(from), directory.at(to))
}

function occupied(path: string): Failure {
  return new Failure('changed-meanwhile', `Another program made ${path} in the meantime.`, {
    hint: 'Nothing was changed. Look at it, then try again.',
  })
}
