import { readSmallFile } from '#disk'
import { field, string } from '../rows/index.ts'
import type { ClaudeFile } from './session-files.ts'
import type { Transcript } from '../rows/index.ts'

const LARGEST = 64 * 1024

/**
 * The title that a person gave a session; null without one. The newest row decides: the file
 * beside the transcript is written by `/rename` alone, and old once anybody else renames. A row
 * with an empty title takes it away again.
 */
export function givenTitle(
  file: Pick<ClaudeFile, 'path' | 'hasMore'>,
  { titles }: Pick<Transcript, 'titles'>,
): string | null {
  const row = titles.findLast(({ kind }) => kind === 'custom')
  if (row !== undefined) return row.text === '' ? null : row.text
  if (!file.hasMore) return null
  const beside = readSmallFile(`${file.path.replace(/\.jsonl$/, '')}/custom-title.json`, LARGEST)
  return beside === null ? null : string(field(parse(beside), 'customTitle'))
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
