import { normalize } from 'node:path'
import { realPathOf } from '#disk'
import type { ProjectPath } from '#timeline'

/**
 * Maps absolute paths, as spelled by a transcript or a user, to project paths. A file has one
 * project path, however it is spelled (sem.A11). Null for paths outside the project.
 */
export function projectPaths(root: string): (path: string) => ProjectPath | null {
  const directories = new Map<string, string>()
  const found = new Map<string, ProjectPath | null>()
  // On first use: most turns of a long session name no file, and this would cost each a system call.
  let realRoot: string | undefined
  const resolve = (path: string): ProjectPath | null => {
    if (!path.startsWith('/') || path.includes('\0')) return null
    // The agent removes `..` from the text before it opens the file, so do it before following
    // symlinks.
    const real = realPathOf(normalize(path).replace(/(?!^)\/$/u, ''), directories)
    realRoot ??= realPathOf(`${root}/.`, directories)
    const top = realRoot === '/' ? '/' : `${realRoot}/`
    return real.startsWith(top) && real !== top ? (real.slice(top.length) as ProjectPath) : null
  }
  return (path) => {
    if (found.has(path)) return found.get(path) ?? null
    const resolved = resolve(path)
    found.set(path, resolved)
    return resolved
  }
}

/** A file has one path, however it is spelled (sem.A11). */
export function realOf(path: string): string {
  return realPathOf(normalize(path).replace(/(?!^)\/$/u, ''))
}

export function toProjectPath(path: string, root: string): ProjectPath | null {
  return projectPaths(root)(path)
}
