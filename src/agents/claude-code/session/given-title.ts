import { readSmallFile } from '#disk'
import { field, string } from '../rows/index.ts'
import type { ClaudeFile } from './session-files.ts'
import type { Transcript } from '../rows/index.ts'

const MAX_TITLE_BYTES = 64 * 1024

/**
 * The title that the user gave a session; null if none. The newest row decides: only `/rename`
 * writes the file next to the transcript, so it is outdated after any other rename. A row with an
 * empty title removes the title.
 */
export function givenTitle(
  file: Pick<ClaudeFile, 'path' | 'hasMore'>,
  { titles }: Pick<Transcript, 'titles'>,
): string | null {
  const row = titles.findLast(({ kind }) => kind === 'custom')
  if (row !== undefined) return row.text === '' ? null : row.text
  if (!file.hasMore) return null
  const beside = readSmallFile(
    `${file.path.replace(/\.jsonl$/, '')}/custom-title.json`,
    MAX_TITLE_BYTES,
  )
  return beside === null ? null : string(field(parse(beside), 'customTitle'))
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
