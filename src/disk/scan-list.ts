import { constants, lstatSync, readdirSync, type BigIntStats } from 'node:fs'
import { nameBytes, nameText } from './names.ts'

const { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } = constants

/** A directory entry with the kind from the listing, which is enough to skip it without a stat. */
export interface ListedEntry {
  readonly name: string
  readonly isDirectory: boolean
}

/**
 * All entries of a directory, with names decoded as by `nameText`. Throws system errors unchanged.
 */
export function listForScan(path: string): ListedEntry[] {
  const at = systemPath(path)
  const listed: ListedEntry[] = []
  for (const entry of readdirSync(at, WITH_TYPES)) {
    // Node decodes bytes that are not UTF-8 to U+FFFD, so two files could get the same name.
    if (entry.name.includes('\ufffd')) return listAsBytes(at)
    listed.push({ name: entry.name, isDirectory: entry.isDirectory() })
  }
  return listed
}

const WITH_TYPES = { withFileTypes: true } as const

function listAsBytes(at: string | Buffer): ListedEntry[] {
  return readdirSync(at, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: nameText(entry.name),
    isDirectory: entry.isDirectory(),
  }))
}

/** Node's own stat, because copying the fields of a hundred thousand files is measurably slow. */
export type ScanStat = BigIntStats

/** The lstat of a path. Null if nothing is there. */
export function lstatForScan(path: string): ScanStat | null {
  return lstatSync(systemPath(path), EXACT) ?? null
}

const EXACT = { bigint: true, throwIfNoEntry: false } as const

/** The kind of a file. Node's own methods allocate two BigInts per call. */
export function kindOf(stat: ScanStat): 'file' | 'directory' | 'symlink' | 'special' {
  switch (Number(stat.mode) & S_IFMT) {
    case S_IFREG:
      return 'file'
    case S_IFDIR:
      return 'directory'
    case S_IFLNK:
      return 'symlink'
    default:
      return 'special'
  }
}

/**
 * Well-formed text is passed as it is, because converting every path to bytes makes scans a third
 * slower.
 */
export function systemPath(text: string): string | Buffer {
  return text.isWellFormed() ? text : nameBytes(text)
}
