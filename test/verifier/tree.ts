import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Independent file reading for checks: it shares no code with Retake, so that one bug cannot hide
 * another.
 */
export type Entry =
  | { readonly file: string; readonly mode?: number }
  | { readonly link: string }
  | { readonly directory: number }

/** Entries by path. Parent directories are implied. */
export type Tree = Readonly<Record<string, Entry>>

export function writeTree(root: string, tree: Tree): void {
  for (const [path, entry] of Object.entries(tree)) {
    const whole = join(root, path)
    if ('directory' in entry) {
      mkdirSync(whole, { recursive: true })
      chmodSync(whole, entry.directory)
      continue
    }
    mkdirSync(dirname(whole), { recursive: true })
    if ('link' in entry) symlinkSync(entry.link, whole)
    else {
      writeFileSync(whole, entry.file)
      chmodSync(whole, entry.mode ?? 0o644)
    }
  }
}

export function emptyDirectory(root: string): void {
  if (!existsSync(root)) return
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
}

/** Everything below a directory, including directories, each as one comparable line. */
export function readTree(root: string, below = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`
    const stat = lstatSync(join(root, path))
    const mode = (stat.mode & 0o7777).toString(8)
    if (stat.isDirectory()) {
      found.set(path, `directory ${mode}`)
      for (const [inner, line] of readTree(root, path)) found.set(inner, line)
    } else if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(root, path))}`)
    else found.set(path, `file ${mode} ${readFileSync(join(root, path), 'utf8')}`)
  }
  return found
}

/** The lines that `readTree` gives for this tree, with implied directories. */
export function linesOf(tree: Tree): Map<string, string> {
  const lines = new Map<string, string>()
  for (const [path, entry] of Object.entries(tree)) {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent))
      if (!lines.has(parent)) lines.set(parent, 'directory 755')
    if ('directory' in entry) lines.set(path, `directory ${entry.directory.toString(8)}`)
    else if ('link' in entry) lines.set(path, `link ${entry.link}`)
    else lines.set(path, `file ${(entry.mode ?? 0o644).toString(8)} ${entry.file}`)
  }
  return new Map([...lines].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Inode and modification time of every file; an untouched file keeps both. */
export function identities(root: string, paths: readonly string[]): Map<string, string> {
  return new Map(
    paths.map((path) => {
      const { ino, mtimeNs } = lstatSync(join(root, path), { bigint: true })
      return [path, `${ino} ${mtimeNs}`]
    }),
  )
}

export function gitId(content: string | Buffer): string {
  const bytes = Buffer.from(content as string)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
