import { graphemesOf, textWidth } from '../../text/text-width.ts'

/** At most `height` lines, including the selected one. */
export function windowOf<T>(lines: readonly T[], selected: number, height: number): readonly T[] {
  const { top, end } = windowRange(lines.length, selected, height)
  return lines.slice(top, end)
}

/** The range alone, so that callers draw only the visible ones of 12,000 rows. */
export function windowRange(
  count: number,
  selected: number,
  height: number,
): { readonly top: number; readonly end: number } {
  if (count <= height) return { top: 0, end: count }
  const top = Math.max(0, Math.min(selected - Math.floor(height / 2), count - height))
  return { top, end: top + height }
}

/** Wraps text to at most `columns`, at spaces if possible. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columns))
}

/** Closes colours at each line end and reopens them, or they would spill into the other pane. */
function wrapLine(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line]
  const parts = line.split(COLOUR).flatMap((part) => (isColour(part) ? [part] : graphemesOf(part)))
  const rows = breakUp(
    parts.filter((part) => !isColour(part)),
    columns,
  )
  const lines = rows.map(() => '')
  let open: string[] = []
  let row = 0
  let at = 0
  for (const part of parts) {
    if (isColour(part)) {
      open = /\[(?:0|22|39)m$/.test(part)
        ? open.filter((each) => !closes(part, each))
        : [...open, part]
      lines[row] += part
      continue
    }
    if (row + 1 < rows.length && at >= rows[row + 1]!.from) {
      if (open.length > 0) lines[row] += RESET
      row += 1
      lines[row] += open.join('')
    }
    if (at < rows[row]!.to) lines[row] += part
    at += 1
  }
  return lines
}

/** Which graphemes go into which line; a space at a break goes into none. */
function breakUp(graphemes: readonly string[], columns: number): { from: number; to: number }[] {
  const rows: { from: number; to: number }[] = []
  let from = 0
  let width = 0
  for (const [at, grapheme] of graphemes.entries()) {
    const size = textWidth(grapheme)
    if (width + size > columns) {
      const blank = graphemes.lastIndexOf(' ', at)
      // Do not break after leading spaces: the line would be blank.
      const isBroken = graphemes.slice(from, Math.max(from, blank)).some((each) => each !== ' ')
      rows.push({ from, to: isBroken ? blank : at })
      from = isBroken ? blank + 1 : at
      width = textWidth(graphemes.slice(from, at).join(''))
    }
    if (at >= from) width += size
  }
  return [...rows, { from, to: graphemes.length }]
}

const COLOUR = /(\u001B\[[\d;]*m)/
const RESET = '\u001B[0m'

function isColour(part: string): boolean {
  return part.startsWith('\u001B')
}

/** Code 22 ends bold and dim, 39 ends a colour. */
function closes(closing: string, opened: string): boolean {
  return closing === RESET || closing.endsWith('[22m') === /\[[12]m$/.test(opened)
}
