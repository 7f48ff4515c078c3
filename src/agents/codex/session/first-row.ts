import { openRollout, parseRow, type Row } from '../rows/index.ts'

const MAX_BYTES = 16 * 1024 * 1024
const NEWLINE = 0x0a

/** The first row of a rollout with everything in it; null if it cannot be read. */
export function readFirstRow(path: string): Row | null {
  try {
    using file = openRollout(path)
    const bytes = file.read(0, MAX_BYTES)
    const end = bytes.indexOf(NEWLINE)
    const row = end < 0 ? null : parseRow(bytes, 0, end)
    return row?.type === 'session_meta' ? row : null
  } catch {
    return null
  }
}
