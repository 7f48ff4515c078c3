import type { ProjectPath } from '#timeline'

/**
 * A path inside the project from one that a transcript names. Null when it does not lie inside:
 * a transcript may name any path, also one with `..` in it.
 */
export function toProjectPath(path: string, root: string): ProjectPath | null {
  if (!path.startsWith(`${root}/`) || path.includes('\0')) return null
  const parts = path.slice(root.length + 1).split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null
  return parts.join('/') as ProjectPath
}
