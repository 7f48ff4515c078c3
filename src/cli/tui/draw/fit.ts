import { graphemesOf, textWidth } from '../../text/text-width.ts'

/** So many of the lines that the selected one is among them. */
export function windowOf<T>(lines: readonly T[], selected: number, height: number): readonly T[] {
  if (lines.length <= height) return lines
  const top = Math.max(0, Math.min(selected - Math.floor(height / 2), lines.length - height))
  return lines.slice(top, top + height)
}

/** Lines of at most so many columns, broken at blanks where there are any. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columns))
}

function wrapLine(line: string, columns: number): string[] {
  // Colours are in drawings that were made to fit; cutting them apart would spill a colour.
  if (line.includes('\u001B') || textWidth(line) <= columns) return [line]
  const lines: string[] = []
  let kept: string[] = []
  let width = 0
  for (const part of graphemesOf(line)) {
    const size = textWidth(part)
    if (width + size > columns) {
      const blank = kept.lastIndexOf(' ')
      const rest = blank <= 0 ? [] : kept.slice(blank + 1)
      lines.push((blank <= 0 ? kept : kept.slice(0, blank)).join(''))
      kept = rest
      width = textWidth(rest.join(''))
    }
    kept.push(part)
    width += size
  }
  return [...lines, kept.join('')]
}
