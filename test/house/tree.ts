import type { Dirent } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * One entry of a tree in its shortest complete form: a text file of mode 644 is its text. Other
 * modes, bytes that are not UTF-8, symbolic links and directories are objects.
 */
export type Entry =
  | string
  | Uint8Array
  | { readonly text: string; readonly mode: string }
  | { readonly bytes: Uint8Array; readonly mode: string }
  | { readonly link: string }
  | { readonly directory: string }

/** Paths relative to the root; listed directories end with `/`. */
export type Tree = Record<string, Entry>

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Everything below `root` except `.git`, which does not belong to the project. */
export async function readTree(root: string): Promise<Tree> {
  const tree: Tree = {}
  const visit = async (directory: string, prefix: string): Promise<void> => {
    const entries = await readdir(directory, { withFileTypes: true })
    for (const entry of entries.toSorted(byName)) {
      const path = prefix + entry.name
      const whole = join(directory, entry.name)
      if (entry.isDirectory()) {
        if (path === '.git') continue
        const mode = await modeOf(whole)
        const before = Object.keys(tree).length
        await visit(whole, `${path}/`)
        // The paths of files imply their directories. Only an empty directory, which undo can
        // easily forget, and an unusual mode need their own entry.
        if (Object.keys(tree).length === before || mode !== '755')
          tree[`${path}/`] = { directory: mode }
      } else if (entry.isSymbolicLink()) {
        tree[path] = { link: await readlink(whole) }
      } else if (entry.isFile()) {
        tree[path] = await readEntry(whole)
      }
    }
  }
  await visit(root, '')
  return tree
}

/** Writes what `readTree` reads, so that one scene's tree can start another. */
export async function writeTree(root: string, tree: Readonly<Tree>): Promise<void> {
  for (const [path, entry] of Object.entries(tree)) {
    const whole = join(root, path)
    if (typeof entry === 'object' && 'directory' in entry) {
      await mkdir(whole, { recursive: true })
      await chmod(whole, Number.parseInt(entry.directory, 8))
      continue
    }
    await mkdir(dirname(whole), { recursive: true })
    if (typeof entry === 'string' || entry instanceof Uint8Array) {
      await writeFile(whole, entry)
    } else if ('link' in entry) {
      await symlink(entry.link, whole)
    } else {
      await writeFile(whole, 'text' in entry ? entry.text : entry.bytes)
      await chmod(whole, Number.parseInt(entry.mode, 8))
    }
  }
}

async function readEntry(path: string): Promise<Entry> {
  const bytes = new Uint8Array(await readFile(path))
  const mode = await modeOf(path)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return mode === '644' ? bytes : { bytes, mode }
  }
  return mode === '644' ? text : { text, mode }
}

async function modeOf(path: string): Promise<string> {
  return ((await lstat(path)).mode & 0o7777).toString(8)
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}
