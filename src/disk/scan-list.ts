import { lstatSync, readdirSync, type BigIntStats } from 'node:fs'
import { nameBytes, nameText } from './names.ts'

/** A name in a directory, with the kind the directory itself gives: enough to leave it out. */
export interface Listed {
  readonly name: string
  readonly isDirectory: boolean
}

/** All entries of a directory, names as `nameText` writes them. Throws what the system throws. */
export function listForScan(path: string): Listed[] {
  const at = systemPath(path)
  const entries = readdirSync(at, { withFileTypes: true })
  // Node writes U+FFFD for bytes that are not UTF-8: two files would become one.
  if (entries.some(({ name }) => name.includes('\ufffd')))
    return readdirSync(at, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
      name: nameText(entry.name),
      isDirectory: entry.isDirectory(),
    }))
  return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
}

/** Node's own stat: copying the fields of a hundred thousand into objects of ours would show. */
export type ScanStat = BigIntStats

/** What stands at a path, never through a link; null when nothing does. */
export function lstatForScan(path: string): ScanStat | null {
  return lstatSync(systemPath(path), { bigint: true, throwIfNoEntry: false }) ?? null
}

/** A text that is well-formed is the name's UTF-8; making bytes of each one costs a third more. */
export function systemPath(text: string): string | Buffer {
  return text.isWellFormed() ? text : nameBytes(text)
}
