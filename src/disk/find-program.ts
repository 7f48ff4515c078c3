import { accessSync, constants, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { statPath } from './list-directory.ts'

/** A program that may be run: where it really is, and what tells it from a later one. */
export interface Program {
  readonly path: string
  readonly identity: string
}

/**
 * The first program of that name in these directories that only its owner, who is root or the
 * user, can have put there, and that lies in none of the directories `outside`. Whoever else could
 * have written it would decide what runs.
 */
export function findProgram(
  name: string,
  directories: readonly string[],
  { outside }: { outside: readonly string[] },
): Program | null {
  const closed = outside.flatMap((path) => [path, real(path) ?? path])
  for (const directory of directories) {
    const path = directory.startsWith('/') ? real(`${directory}/${name}`) : null
    if (path === null || [directory, path].some((each) => isBelow(each, closed))) continue
    const stat = statPath(path)
    if (stat === null || !stat.isFile() || !isExecutable(path) || !isSafe(path)) continue
    return { path, identity: `${path}:${stat.size}:${stat.mtimeNs}` }
  }
  return null
}

/** Every name on the way could be given to something else by whoever may write its directory. */
function isSafe(path: string): boolean {
  const user = process.getuid?.()
  for (let at = path; ; at = dirname(at)) {
    const stat = statPath(at)
    if (stat === null) return false
    const [mode, owner] = [Number(stat.mode), Number(stat.uid)]
    // In a sticky directory (as /tmp) others can add names and not take away ours.
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
