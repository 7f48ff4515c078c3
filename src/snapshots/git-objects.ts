import { inflateSync } from 'node:zlib'
import { resolve } from 'node:path'
import { blobId, listDirectory, readSmallFile, statPath } from '#disk'
import { openPack, type Pack } from './git-pack.ts'
import { byteText } from './ignore-rules.ts'

/** The objects of a repository, read from its files. Missing and damaged objects are null. */
export interface GitObjects extends Disposable {
  /** Whether the object exists whose id is in these bytes at `at`. */
  has(bytes: Buffer, at: number): boolean
  /** A blob's bytes, checked against its id. */
  readBlob(id: string): Buffer | null
  /** The entry at a path in the tree of a commit; null if there is none. */
  findInCommit(commit: string, path: string): TreeEntry | null | 'unreadable'
}

export interface TreeEntry {
  /** As git writes it: `100644`, `100755`, `120000`, `40000`, `160000`. */
  readonly mode: string
  readonly id: string
}

const MAX_OBJECT_BYTES = 1024 * 1024 * 1024

export function openGitObjects(objects: string): GitObjects {
  let directories: string[] = []
  let packs: Pack[] | null = null
  const allPacks = (): Pack[] => {
    if (packs !== null) return packs
    directories = withAlternates(objects)
    packs = directories.flatMap(openPacks)
    return packs
  }
  const close = (): void => {
    for (const pack of packs ?? []) pack[Symbol.dispose]()
    packs = null
  }
  const loosePath = (directory: string, id: string): string =>
    `${directory}/${id.slice(0, 2)}/${id.slice(2)}`

  const readObject = (id: string): { kind: string; body: Buffer } | null => {
    for (const pack of allPacks()) {
      const found = pack.read(id, readObject)
      if (found !== null) return found
    }
    for (const directory of directories) {
      const bytes = readSmallFile(loosePath(directory, id), MAX_OBJECT_BYTES)
      const found = bytes === null ? null : parseLoose(bytes)
      if (found !== null) return found
    }
    return null
  }
  const readAgain = (id: string, kind: string): Buffer | null => {
    let found = readObject(id)
    if (found === null) {
      // Git may have repacked its objects since the packs were opened.
      close()
      found = readObject(id)
    }
    return found?.kind === kind ? found.body : null
  }
  const trees = new Map<string, Map<string, TreeEntry>>()
  const readEntries = (id: string): Map<string, TreeEntry> | null => {
    const known = trees.get(id)
    const body = known === undefined ? readAgain(id, 'tree') : null
    const entries = known ?? (body === null ? null : parseTree(body))
    if (entries !== null) trees.set(id, entries)
    return entries
  }
  return {
    has(bytes, at) {
      for (const pack of allPacks()) if (pack.has(bytes, at)) return true
      const id = bytes.toString('hex', at, at + 20)
      return directories.some((directory) => statPath(loosePath(directory, id)) !== null)
    },
    readBlob(id) {
      const found = readAgain(id, 'blob')
      return found !== null && blobId(found) === id ? found : null
    },
    findInCommit(commit, path) {
      const tree = /^tree ([0-9a-f]{40})$/mu.exec(
        readAgain(commit, 'commit')?.toString('latin1') ?? '',
      )
      let entry: TreeEntry | undefined = tree === null ? undefined : { mode: '40000', id: tree[1]! }
      if (entry === undefined) return 'unreadable'
      for (const name of path.split('/')) {
        if (entry.mode !== '40000') return null
        const entries = readEntries(entry.id)
        if (entries === null) return 'unreadable'
        entry = entries.get(byteText(name))
        if (entry === undefined) return null
      }
      return entry
    },
    [Symbol.dispose]: close,
  }
}

/** Names have one character per byte. */
function parseTree(body: Buffer): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>()
  for (let at = 0; at < body.length;) {
    const nul = body.indexOf(0, at)
    const [mode, name] = splitOnce(body.toString('latin1', at, nul))
    entries.set(name, { mode, id: body.toString('hex', nul + 1, nul + 21) })
    at = nul + 21
  }
  return entries
}

function splitOnce(text: string): [string, string] {
  const space = text.indexOf(' ')
  return [text.slice(0, space), text.slice(space + 1)]
}

const MAX_ALTERNATES = 16

/** A repository may borrow objects from others, which may borrow in turn. */
function withAlternates(objects: string): string[] {
  const all = [objects]
  for (const directory of all) {
    const text = readSmallFile(`${directory}/info/alternates`, 64 * 1024)?.toString('utf8') ?? ''
    for (const line of text.split('\n')) {
      const other = resolve(directory, line)
      if (line !== '' && !line.startsWith('#') && !all.includes(other)) all.push(other)
      if (all.length > MAX_ALTERNATES) return all
    }
  }
  return all
}

function openPacks(directory: string): Pack[] {
  return listDirectory(`${directory}/pack`).flatMap(({ name }) => {
    if (!name.endsWith('.idx')) return []
    const pack = openPack(`${directory}/pack/${name.slice(0, -4)}`)
    return pack === null ? [] : [pack]
  })
}

function parseLoose(bytes: Buffer): { kind: string; body: Buffer } | null {
  try {
    const whole = inflateSync(bytes, { maxOutputLength: MAX_OBJECT_BYTES })
    const nul = whole.indexOf(0)
    const [kind, size] = whole.toString('latin1', 0, Math.max(nul, 0)).split(' ')
    const body = whole.subarray(nul + 1)
    return nul > 0 && kind !== undefined && Number(size) === body.length ? { kind, body } : null
  } catch {
    return null
  }
}
