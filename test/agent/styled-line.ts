import type { IBufferCell, IBufferLine } from '@xterm/headless'

export interface Style {
  /** One of the 16 colours of a terminal; null for its default. */
  readonly colour: number | null
  readonly bold: boolean
  readonly dim: boolean
  readonly inverse: boolean
  readonly cursor: boolean
}

/**
 * Adjacent cells of one style. A character that is not ASCII gets its own span, so that a font that
 * draws it wider does not move the text after it.
 */
export interface Span extends Style {
  readonly column: number
  readonly text: string
}

export type StyledLine = readonly Span[]

/** A line of the screen as spans, without trailing spaces; `cursor` is its column, or −1. */
export function readStyledLine(line: IBufferLine | undefined, cursor: number): StyledLine {
  const spans: Span[] = []
  for (let column = 0; column < (line?.length ?? 0); column += 1) {
    const cell = line!.getCell(column)!
    if (cell.getWidth() === 0) continue
    const style = styleOf(cell, column === cursor)
    const text = cell.getChars() || ' '
    const last = spans.at(-1)
    if (last !== undefined && isSameStyle(last, style) && isAscii(last.text) && isAscii(text))
      spans[spans.length - 1] = { ...last, text: last.text + text }
    else spans.push({ ...style, column, text })
  }
  const last = spans.at(-1)
  if (last === undefined || last.inverse || last.cursor) return spans
  const text = last.text.trimEnd()
  return text === '' ? spans.slice(0, -1) : [...spans.slice(0, -1), { ...last, text }]
}

function isAscii(text: string): boolean {
  return /^[\u0020-\u007E]+$/.test(text)
}

function styleOf(cell: IBufferCell, cursor: boolean): Style {
  return {
    colour: cell.isFgPalette() && cell.getFgColor() < 16 ? cell.getFgColor() : null,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
    cursor,
  }
}

function isSameStyle(a: Style, b: Style): boolean {
  return (
    a.colour === b.colour &&
    a.bold === b.bold &&
    a.dim === b.dim &&
    a.inverse === b.inverse &&
    a.cursor === b.cursor
  )
}
