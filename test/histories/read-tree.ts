import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** One line per path. */
export type Tree = ReadonlyMap<string, string>

/**
 * Everything in a project except git's own files: bytes, modes, links and directories, one line per
 * path. It shares no code with Retake, so that one bug cannot hide another.
 */
export function readTree(root: string, below = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(join(root, below)).sort()) {
    if (below === '' && name === '.git') continue
    const path = below === '' ? name : `${below}/${name}`
    const stat = lstatSync(join(root, path))
    const mode = (stat.mode & 0o7777).toString(8)
    if (stat.isDirectory()) {
      found.set(path, `directory ${mode}`)
      for (const [inner, line] of readTree(root, path)) found.set(inner, line)
    } else if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(root, path))}`)
    else found.set(path, `file ${mode} ${tell(readFileSync(join(root, path)))}`)
  }
  return found
}

/** The inode of every file and link, by path: a renamed file keeps its inode, a copy does not. */
export function readInodes(root: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const [path, line] of readTree(root))
    if (!line.startsWith('directory')) found.set(path, lstatSync(join(root, path)).ino)
  return found
}

function tell(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  const isShort = bytes.length <= 400 && !text.includes('\0') && !text.includes('\uFFFD')
  return isShort ? `text ${text}` : `sha1 ${createHash('sha1').update(bytes).digest('hex')}`
}

/** A path at which two trees differ, and its line in each. */
export interface Difference {
  readonly path: string
  readonly one: string
  readonly other: string
}

export function differences(one: Tree, other: Tree): Difference[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((path) => one.get(path) !== other.get(path))
    .sort()
    .map((path) => ({ path, one: one.get(path) ?? 'nothing', other: other.get(path) ?? 'nothing' }))
}

/** Whether the file's directory exists, so that only the file is created or removed. */
export function isIn(tree: Tree, path: string): boolean {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  return parent === '' || tree.get(parent)?.startsWith('directory') === true
}

/** Whether the paths are equal, or one is below the other. */
export function meet(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
}

/**
 * The first of these paths that a change created or deleted, which ends older turns' effect there.
 */
export function findMade(changes: readonly Difference[], paths: readonly string[]): string | null {
  const isMade = ({ one, other }: Difference): boolean =>
    one === 'nothing' || (other === 'nothing' && !one.startsWith('directory'))
  return changes.find((each) => isMade(each) && paths.includes(each.path))?.path ?? null
}
