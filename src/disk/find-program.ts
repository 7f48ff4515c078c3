import { accessSync, constants, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { statPath } from './list-directory.ts'

/**
 * A program that is safe to run: its real path, and an identity that changes with each new version.
 */
export interface Program {
  readonly path: string
  readonly identity: string
}

/**
 * Finds the first program of that name that only root or the user can have put there, and that is
 * in none of the directories `outside`. Anyone else who could write it would decide what runs.
 */
export function findProgram(
  name: string,
  directories: readonly string[],
  { outside }: { outside: readonly string[] },
): Program | null {
  const excluded = outside.flatMap((path) => [path, real(path) ?? path])
  for (const directory of directories) {
    const path = directory.startsWith('/') ? real(`${directory}/${name}`) : null
    if (path === null || [directory, path].some((each) => isBelow(each, excluded))) continue
    const stat = statPath(path)
    if (stat === null || !stat.isFile() || !isExecutable(path) || !isSafe(path)) continue
    return { path, identity: `${path}:${stat.size}:${stat.mtimeNs}` }
  }
  return null
}

/** Checks every parent directory too: anyone who can write one can replace what is in it. */
function isSafe(path: string): boolean {
  const user = process.getuid?.()
  for (let at = path; ; at = dirname(at)) {
    const stat = statPath(at)
    if (stat === null) return false
    const [mode, owner] = [Number(stat.mode), Number(stat.uid)]
    // In a sticky directory, such as /tmp, others can add names but not remove ours.
    const isSticky = stat.isDirectory() && (mode & 0o1000) !== 0
    if ((mode & 0o002) !== 0 && !isSticky) return false
    if (owner !== 0 && owner !== user) return false
    if (at === '/') return true
  }
}

function isBelow(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => path === directory || path.startsWith(`${directory}/`))
}

function real(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
