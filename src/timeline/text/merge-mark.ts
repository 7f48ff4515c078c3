import { joinLines, splitLines, type Lines, type Piece, type Range } from './lines.ts'
import { alignTexts, isClash, type Alignment, type Region, type Three } from './merge-text.ts'

/**
 * What to do with a path in conflict (sem.M7): leave it out of the operation, replace the present
 * content, or write both versions with markers.
 */
export type Choice = 'keep-mine' | 'put-back' | 'mark'

export interface MarkLabels {
  readonly ours: string
  readonly theirs: string
}

export interface MarkedText {
  readonly bytes: Uint8Array
  readonly regions: readonly Three<Range>[]
}

/**
 * Merges what it can and puts conflict markers around the rest. Always marks at least one place:
 * the user was told of a conflict, and a text that looks finished would hide it. That happens when
 * turns conflict one by one but not together.
 */
export function markText(bytes: Three<Uint8Array>, labels: MarkLabels): MarkedText {
  return settleText(bytes, labels, () => 'mark')
}

/** Like `markText`, with a choice for each conflicting place: one of the sides, or markers. */
export function settleText(
  bytes: Three<Uint8Array>,
  labels: MarkLabels,
  choose: (place: number) => Choice,
): MarkedText {
  const alignment = alignTexts(bytes)
  const regions = regionsToMark(alignment)
  const { lines, style } = alignment
  const pieces: Piece[] = []
  let at = 0
  let place = 0
  for (const region of regions) {
    pieces.push({ source: lines.base, range: { from: at, to: region.base.from } })
    const choice = isClash(region) ? choose(place++) : null
    if (choice === 'mark') pieces.push(...markedPieces(region, lines, labels))
    else {
      const takesTheirs = choice === null ? region.change === 'theirs' : choice === 'put-back'
      const side = takesTheirs ? 'theirs' : 'ours'
      pieces.push({ source: lines[side], range: region[side] })
    }
    at = region.base.to
  }
  pieces.push({ source: lines.base, range: { from: at, to: lines.base.starts.length } })
  return { bytes: joinLines(pieces, style), regions: regions.filter(isClash) }
}

export function regionsToMark(alignment: Alignment): readonly Region[] {
  return alignment.regions.some(isClash) ? alignment.regions : [wholeDifference(alignment)]
}

function markedPieces(region: Region, lines: Three<Lines>, labels: MarkLabels): Piece[] {
  return [
    oneLine(`<<<<<<< ${labels.ours}`),
    { source: lines.ours, range: region.ours },
    oneLine('======='),
    { source: lines.theirs, range: region.theirs },
    oneLine(`>>>>>>> ${labels.theirs}`),
  ]
}

function oneLine(text: string): Piece {
  // A line break in a label would end the marker early and leave the rest as text.
  const bytes = new TextEncoder().encode(text.replaceAll(/[\r\n]+/g, ' '))
  return { source: splitLines(bytes), range: { from: 0, to: 1 } }
}

/** The range from the first to the last line that either side changed. */
function wholeDifference({ regions, lines }: Alignment): Region {
  const first = regions[0]
  const last = regions.at(-1)
  const ends: Three<Range> = {
    base: { from: 0, to: lines.base.starts.length },
    ours: { from: 0, to: lines.ours.starts.length },
    theirs: { from: 0, to: lines.theirs.starts.length },
  }
  function span(side: keyof Three<Range>): Range {
    return { from: first?.[side].from ?? 0, to: last?.[side].to ?? ends[side].to }
  }
  return { base: span('base'), ours: span('ours'), theirs: span('theirs'), change: 'overlap' }
}
