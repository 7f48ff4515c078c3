import type { Contents, Value } from '#timeline'

/** Larger files count as renamed only if their content is the same. */
const MAX_BYTES = 1024 * 1024

/** The share of two texts' lines that is in both, by length, from 0 to 1. */
export function similarityOf(contents: Contents, a: Value, b: Value): number {
  if (a.kind !== 'file' || b.kind !== 'file') return 0
  if (a.content === b.content) return 1
  const [one, two] = [a, b].map(({ content }) => contents.bytes(content))
  if (one!.length === 0 || two!.length === 0) return 0
  if (one!.length > MAX_BYTES || two!.length > MAX_BYTES) return 0
  const counts = new Map<string, number>()
  const [first, second] = [linesOf(one!), linesOf(two!)]
  for (const line of first) counts.set(line, (counts.get(line) ?? 0) + 1)
  let common = 0
  for (const line of second) {
    const left = counts.get(line) ?? 0
    if (left === 0) continue
    counts.set(line, left - 1)
    common += line.length + 1
  }
  return common / Math.max(one!.length, two!.length)
}

function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString('latin1').split('\n')
}
