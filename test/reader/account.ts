import type { Transcript } from '../../src/agents/claude-code/rows/transcript.ts'

/** The number of bytes that the reader does not account for; negative if it counts some twice. */
export function unaccountedBytes(transcript: Transcript, size: number): number {
  const { rows, pointers, checkpoints, titles, damage, opaqueBytes, blankBytes } = transcript
  const spans = [...rows, ...pointers, ...checkpoints, ...titles].map(({ place, length }) => ({
    from: place,
    to: place + length,
  }))
  for (const { offset, length } of damage) spans.push({ from: offset, to: offset + length })
  spans.sort((a, b) => a.from - b.from)
  let covered = 0
  let end = 0
  for (const { from, to } of spans) {
    covered += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return size - covered - opaqueBytes - blankBytes
}
