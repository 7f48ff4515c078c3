import { crc32 } from 'node:zlib'
import { readLines, readRanges, type FileRanges } from '#disk'
import type { Damage } from '../../open-session.ts'
import { foldRow } from './fold-row.ts'
import { readRow } from './read-row.ts'
import { emptyOutline, type Outline, type Rollout } from './rollout.ts'

/** No agent writes a row of 64 MiB; it is reported as damage, not loaded. */
const MAX_LINE = 64 * 1024 * 1024
const SAMPLE_BYTES = 4096

/** Continues a reading of the same file; starts over if it was rewritten. */
export function readRollout(path: string, known?: Rollout): Rollout {
  using file = readRanges(path)
  const before = known !== undefined && continues(file, known) ? known : null
  // A copy, so that earlier results stay as they were.
  const outline = before === null ? emptyOutline() : copyOf(before.outline)
  let torn: Damage | null = null
  const end = readLines(
    file,
    { from: before?.end ?? 0, limit: MAX_LINE },
    {
      line(bytes, start, to, offset) {
        take(outline, bytes, { start, to, offset })
      },
      rest(_, start, to, offset) {
        torn = { offset, length: to - start, why: 'torn' }
      },
      longLine(_, { offset, length, whole }) {
        const damage: Damage = { offset, length, why: 'too-long' }
        if (whole) outline.damage.push(damage)
        else torn = damage
      },
    },
  )
  return { path, identity: file.identity, end, sample: sampleOf(file, end), outline, torn }
}

function take(
  outline: Outline,
  bytes: Buffer,
  { start, to, offset }: { start: number; to: number; offset: number },
): void {
  if (to === start || (to === start + 1 && bytes[start] === 0x0d)) return
  const row = readRow(bytes, start, to)
  if (row !== null) foldRow(outline, row, { place: offset, end: offset + to - start + 1 })
  else
    outline.damage.push({
      offset,
      length: to - start,
      why: bytes.subarray(start, to).includes(0) ? 'nul-bytes' : 'not-json',
    })
}

function copyOf(outline: Outline): Outline {
  const turns = [...outline.turns]
  const last = turns.at(-1)
  // Only the last turn still grows.
  if (last !== undefined) turns[turns.length - 1] = { ...last, absorbed: [...last.absorbed] }
  return {
    ...outline,
    turns,
    ids: new Set(outline.ids),
    damage: [...outline.damage],
    boundaries: [...outline.boundaries],
  }
}

/** The same file, not shorter, with the same bytes where they were sampled. */
function continues(file: FileRanges, { identity, end, sample }: Rollout): boolean {
  const { device, inode, size, changed } = file.identity
  if (device !== identity.device || inode !== identity.inode) return false
  if (size < identity.size || (size === identity.size && changed !== identity.changed)) return false
  return sampleOf(file, end) === sample
}

/** The sample that a reading up to `end` would have now. */
export function sampleAt(path: string, end: number): string {
  using file = readRanges(path)
  return sampleOf(file, end)
}

function sampleOf(file: FileRanges, end: number): string {
  const first = file.read(0, Math.min(SAMPLE_BYTES, end))
  const last = file.read(Math.max(0, end - SAMPLE_BYTES), Math.min(SAMPLE_BYTES, end))
  return `${crc32(first)}:${crc32(last)}`
}
