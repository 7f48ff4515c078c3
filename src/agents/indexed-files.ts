import type { FileIdentity } from '#disk'
import { all, one, type Database } from '#store'

/** The identity of a file when it was indexed. */
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
 * The indexed files, read again only if another process has written. On a machine with many
 * sessions, this would otherwise dominate every search.
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

/** The same file, grown. A file that changed without growing was overwritten. */
export function isGrown(known: KnownFile, { device, inode, size }: FileIdentity): boolean {
  return known.device === String(device) && known.inode === String(inode) && known.size < size
}
