import type { FileIdentity } from '#disk'
import { all, one, type Database } from '#store'

/** What was taken in of a file, as far as its identity tells. */
export interface KnownFile {
  readonly device: string
  readonly inode: string
  readonly size: number
  readonly changed: string
}

export type KnownFiles = Map<string, KnownFile>

export function rowOf({ device, inode, size, changed }: FileIdentity): KnownFile {
  return { device: String(device), inode: String(inode), size, changed: String(changed) }
}

/**
 * What is in the index, read again only when another process has written: for a machine full of
 * sessions that would else be the greater part of every search.
 */
export function openMemory(): { read(database: Database): KnownFiles; forget(): void } {
  let known: { database: Database; version: number; files: KnownFiles } | null = null
  return {
    read(database) {
      const version = Number(one(database, 'pragma data_version')!['data_version'])
      if (known?.database === database && known.version === version) return known.files
      const rows = all(database, 'select path, device, inode, size, changed from indexed')
      const files = new Map(rows.map((row) => [String(row['path']), row as unknown as KnownFile]))
      known = { database, version, files }
      return files
    },
    forget() {
      known = null
    },
  }
}

export function isSame(known: KnownFile | undefined, identity: FileIdentity): boolean {
  return (
    known !== undefined &&
    known.size === identity.size &&
    known.changed === String(identity.changed) &&
    known.inode === String(identity.inode) &&
    known.device === String(identity.device)
  )
}

/** The same file with more behind it. One that was touched without growing was written over. */
export function isGrown(known: KnownFile, { device, inode, size }: FileIdentity): boolean {
  return known.device === String(device) && known.inode === String(inode) && known.size < size
}
