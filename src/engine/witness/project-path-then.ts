import { dirname, join, normalize, resolve } from 'node:path'
import { type Disk, lstatPath, nameBytes, nameText, realPathOf } from '#disk'
import type { ProjectPath } from '#timeline'
import type { LinkThen } from './link-history.ts'
import { projectPaths } from '../project/index.ts'

/** The kernel's limit: a longer chain of symlinks is a loop. */
const MAX_LINKS = 40

/**
 * Maps absolute paths that were recorded at a given time to project paths. Symlinks in directories
 * lead where they led then, as far as Retake saw them. Later ones are not followed (sem.A11).
 */
export function projectPathsThen(
  {
    path: root,
    store: { disk },
  }: { readonly path: string; readonly store: { readonly disk: Disk } },
  linkThen: LinkThen,
): (path: string, at: number) => ProjectPath | null {
  const pathNow = projectPaths(root)
  const known = new Map<string, string>()
  const top = realPathOf(`${root}/.`, known)

  /** The names from the project's top to the file, with the symlinks below the top unresolved. */
  const namesBelow = (path: string): string[] | null => {
    const names = path.split('/').slice(1)
    for (let count = 0; count < names.length; count++) {
      const real = realPathOf(`/${names.slice(0, count).join('/')}/.`, known)
      if (`${real}/`.startsWith(`${top}/`))
        return [...real.slice(top.length + 1).split('/'), ...names.slice(count)].filter(Boolean)
    }
    return null
  }

  const find = (path: string, at: number, links: number): ProjectPath | null | undefined => {
    const names = namesBelow(path)
    if (names === null || links > MAX_LINKS) return links === 0 ? undefined : null
    // Below a replaced directory, the symlinks that are there now say nothing about that time.
    let isReplaced = false
    for (const [i, name] of names.slice(0, -1).entries()) {
      const here = [...names.slice(0, i), name].join('/') as ProjectPath
      const then = linkThen(here, at)
      const target = then === undefined && !isReplaced ? linkNow(disk, `${top}/${here}`) : then
      isReplaced ||= then !== undefined
      if (target === null || target === undefined) continue
      const led = join(resolve(`${top}/${dirname(here)}`, target), ...names.slice(i + 1))
      const found = find(led, at, links + 1)
      return found === undefined && isReplaced ? pathNow(led) : found
    }
    return isReplaced ? (names.join('/') as ProjectPath) : undefined
  }

  return (path, at) => {
    if (!path.startsWith('/') || path.includes('\0')) return null
    const then = find(normalize(path), at, 0)
    return then === undefined ? pathNow(path) : then
  }
}

function linkNow(disk: Disk, path: string): string | null {
  if (lstatPath(path)?.isSymbolicLink() !== true) return null
  return nameText(disk.readLink(nameBytes(path)))
}
