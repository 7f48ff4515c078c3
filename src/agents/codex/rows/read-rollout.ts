import { readLines } from '#disk'
import { continues, sampleOf } from '../../grown-file.ts'
import type { Damage } from '../../open-session.ts'
import { foldRow } from './fold-row.ts'
import { openRollout } from './open-rollout.ts'
import { readRow } from './read-row.ts'
import { emptyOutline, type Outline, type Rollout } from './rollout.ts'

/** No agent writes a row of 64 MiB; it is reported as damage, not loaded. */
const MAX_LINE = 64 * 1024 * 1024

/** Continues a reading of the same file; starts over if it was rewritten. */
export function readRollout(path: string, known?: Rollout): Rollout {
  using file = openRollout(path)
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
    roots: [...outline.roots],
  }
}
