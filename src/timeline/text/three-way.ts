import { lineEnd, type Lines, type Range } from './lines.ts'
import { regionsToMark } from './merge-mark.ts'
import { alignTexts, isClash, type Region, type Three } from './merge-text.ts'

/** A run of lines of one version. An empty run comes before the line `from`. */
export interface SideLines {
  /** Counted from 1. */
  readonly from: number
  readonly lines: readonly string[]
}

/** Corresponding lines of three versions: the common base, yours and theirs. */
export type ThreeWayBlock =
  | {
      readonly kind: 'lines'
      /** Which side changed them: none, one, both equally, or both so that the user must choose. */
      readonly change: 'same' | 'yours' | 'theirs' | 'both' | 'conflict'
      readonly base: SideLines
      readonly yours: SideLines
      readonly theirs: SideLines
    }
  /** Lines that are equal in all three versions and far from any change. */
  | { readonly kind: 'skipped'; readonly lines: number }

/**
 * Three texts as aligned blocks, with `context` unchanged lines around changes. Conflicts are the
 * places where markers would go. Without a common base there are none: theirs replaces yours.
 */
export function alignThree(
  { base, ours, theirs }: Omit<Three<Uint8Array>, 'base'> & { readonly base: Uint8Array | null },
  context = 3,
): ThreeWayBlock[] {
  const alignment = alignTexts({ base: base ?? ours, ours, theirs })
  const { lines } = alignment
  const regions = base === null ? alignment.regions : regionsToMark(alignment)
  const blocks: ThreeWayBlock[] = []
  const ends = { base: 0, ours: 0, theirs: 0 }
  const passSame = (to: number, isLast: boolean): void => {
    const run = to - ends.base
    const [head, tail] = [blocks.length === 0 ? 0 : context, isLast ? 0 : context]
    const skipped = run - head - tail
    // A note about one skipped line is no shorter than the line itself.
    const cuts = skipped > 1 ? [head, skipped, tail] : [run, 0, 0]
    cuts.forEach((length, part) => {
      if (length === 0) return
      if (part === 1) blocks.push({ kind: 'skipped', lines: length })
      else blocks.push(show('same', shifted(ends, length), lines))
      for (const side of ['base', 'ours', 'theirs'] as const) ends[side] += length
    })
  }
  for (const region of regions) {
    passSame(region.base.from, false)
    blocks.push(show(changeOf(region), region, lines))
    for (const side of ['base', 'ours', 'theirs'] as const) ends[side] = region[side].to
  }
  passSame(lines.base.starts.length, true)
  return blocks
}

function shifted(from: Three<number>, length: number): Three<Range> {
  return {
    base: { from: from.base, to: from.base + length },
    ours: { from: from.ours, to: from.ours + length },
    theirs: { from: from.theirs, to: from.theirs + length },
  }
}

function changeOf(region: Region): Extract<ThreeWayBlock, { kind: 'lines' }>['change'] {
  if (isClash(region)) return 'conflict'
  if (region.change === 'ours') return 'yours'
  return region.change === 'theirs' ? 'theirs' : 'both'
}

function show(
  change: Extract<ThreeWayBlock, { kind: 'lines' }>['change'],
  ranges: Three<Range>,
  lines: Three<Lines>,
): ThreeWayBlock {
  return {
    kind: 'lines',
    change,
    base: linesIn(lines.base, ranges.base),
    yours: linesIn(lines.ours, ranges.ours),
    theirs: linesIn(lines.theirs, ranges.theirs),
  }
}

const decoder = new TextDecoder()

/** For display only: invalid UTF-8 becomes a replacement character. */
function linesIn(source: Lines, { from, to }: Range): SideLines {
  const lines: string[] = []
  for (let index = from; index < to; index++) {
    const end = lineEnd(source, index, 'text')
    lines.push(decoder.decode(source.bytes.subarray(source.starts[index], end)))
  }
  return { from: from + 1, lines }
}
