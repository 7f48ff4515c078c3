import { constants, lstatSync, readdirSync, type BigIntStats } from 'node:fs'
import { nameBytes, nameText } from './names.ts'

const { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } = constants

/** A name in a directory, with the kind the directory itself gives: enough to leave it out. */
export interface Listed {
  readonly name: string
  readonly isDirectory: boolean
}

/** All entries of a directory, names as `nameText` writes them. Throws what the system throws. */
export function listForScan(path: string): Listed[] {
  const at = systemPath(path)
  const listed: Listed[] = []
  for (const entry of readdirSync(at, WITH_TYPES)) {
    // Node writes U+FFFD for bytes that are not UTF-8: two files would become one.
    if (entry.name.includes('\ufffd')) return listAsBytes(at)
    listed.push({ name: entry.name, isDirectory: entry.isDirectory() })
  }
  return listed
}

const WITH_TYPES = { withFileTypes: true } as const

function listAsBytes(at: string | Buffer): Listed[] {
  return readdirSync(at, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: nameText(entry.name),
    isDirectory: entry.isDirectory(),
  }))
}

/** Node's own stat: copying the fields of a hundred thousand into objects of ours would show. */
export type ScanStat = BigIntStats

/** What stands at a path, never through a link; null when nothing does. */
export function lstatForScan(path: string): ScanStat | null {
  return lstatSync(systemPath(path), EXACT) ?? null
}

const EXACT = { bigint: true, throwIfNoEntry: false } as const

/** What a stat is of. Node's own methods make two numbers of any length for each question. */
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

/** A text that is well-formed is the name's UTF-8; making bytes of each one costs a third more. */
export function systemPath(text: string): string | Buffer {
  return text.isWellFormed() ? text : nameBytes(text)
}
