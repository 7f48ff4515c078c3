import { wordRemedy, type Remedy, type Wording } from '#failure'
import { onCommandLine } from '#protocol'
import { colourer } from './colours.ts'
import { graphemesOf, textWidth } from './text-width.ts'

/** Colours by meaning, and the characters for drawing. */
export interface Paint {
  readonly strong: (text: string) => string
  readonly quiet: (text: string) => string
  readonly added: (text: string) => string
  readonly removed: (text: string) => string
  readonly warning: (text: string) => string
  readonly accent: (text: string) => string
  readonly signs: Signs
  readonly width: number
  /** Lines must not be wider than `width`, because the output is a screen. */
  readonly fits: boolean
  /** Words the next step for this surface: a command or a key. */
  readonly say: (remedy: Remedy) => string
}

interface Signs {
  readonly active: string
  readonly head: string
  readonly undone: string
  readonly other: string
  readonly line: string
  readonly dashed: string
  readonly fork: string
  readonly branch: string
  readonly more: string
  readonly minus: string
  readonly dot: string
  readonly here: string
  readonly live: string
  readonly restore: string
  readonly delete: string
  readonly merge: string
  readonly skip: string
  readonly to: string
  readonly flag: string
  readonly fold: string
  readonly unfolded: string
  readonly pick: string
  readonly rule: string
  readonly newline: string
}

const DRAWN: Signs = {
  active: '●',
  head: '◉',
  undone: '◌',
  other: '○',
  line: '│',
  dashed: '╎',
  fork: '├─',
  branch: '⑂',
  more: '…',
  minus: '−',
  dot: '·',
  here: '←',
  live: '●',
  restore: '↺',
  delete: '⊘',
  merge: '⇄',
  skip: '–',
  to: '→',
  flag: '⚑',
  fold: '▸',
  unfolded: '▾',
  pick: '❯',
  rule: '─',
  newline: '↵',
}

const TYPED: Signs = {
  active: '*',
  head: '@',
  undone: '.',
  other: 'o',
  line: '|',
  dashed: ':',
  fork: '|-',
  branch: 'Y',
  more: '...',
  minus: '-',
  dot: '-',
  here: '<-',
  live: '*',
  restore: '~',
  delete: 'x',
  merge: '=',
  skip: '-',
  to: '->',
  flag: '#',
  fold: '>',
  unfolded: 'v',
  pick: '>',
  rule: '-',
  newline: '\\n',
}

export function makePaint({
  colour,
  unicode,
  width,
  fits = false,
  wording = onCommandLine,
}: {
  colour: boolean
  unicode: boolean
  width: number
  fits?: boolean
  wording?: Wording
}): Paint {
  const paint = colourer(colour)
  return {
    strong: paint(1, 22),
    quiet: paint(2, 22),
    added: paint(32, 39),
    removed: paint(31, 39),
    warning: paint(33, 39),
    accent: paint(36, 39),
    signs: unicode ? DRAWN : TYPED,
    width,
    fits,
    say: (remedy) => wordRemedy(remedy, wording),
  }
}

/** UTF-16 code units of the longest grapheme: a family emoji, or a letter with many marks. */
const MAX_GRAPHEME = 40

/** Shortens text to one line of at most `columns`; wide characters count as two. */
export function shorten(text: string, columns: number, { signs }: Paint): string {
  // A prompt can be a pasted log of megabytes; measure only the part that could fit.
  const start =
    text.length > columns * MAX_GRAPHEME ? text.trimStart().slice(0, columns * MAX_GRAPHEME) : text
  const line = start.trim().replaceAll(/\s+/g, ' ')
  if (start.length === text.length && textWidth(line) <= columns) return line
  const room = columns - textWidth(signs.more)
  let kept = ''
  let width = 0
  for (const grapheme of graphemesOf(line)) {
    width += textWidth(grapheme)
    if (width > room) break
    kept += grapheme
  }
  return kept.trimEnd() + signs.more
}

/** Cuts a drawn line at the screen width; keeps the colour codes, so that colours still end. */
export function fitLine(text: string, paint: Paint): string {
  const line = text.trimEnd()
  if (!paint.fits || textWidth(line) <= paint.width) return line
  const room = paint.width - textWidth(paint.signs.more)
  let [kept, width] = ['', 0]
  for (const part of line.split(/(\u001B\[[\d;]*m)/)) {
    if (part.startsWith('\u001B')) kept += part
    else
      for (const grapheme of graphemesOf(part)) {
        width += textWidth(grapheme)
        if (width <= room) kept += grapheme
      }
  }
  return `${kept.trimEnd()}${paint.signs.more}`
}

/** Shortens a path in the middle. The file name stays whole if it fits. */
export function shortenPath(path: string, columns: number, { signs }: Paint): string {
  if (textWidth(path) <= columns) return path
  const room = columns - textWidth(signs.more)
  const parts = graphemesOf(path)
  const nameWidth = textWidth(path.slice(path.lastIndexOf('/')))
  const end = takeFrom(parts.toReversed(), Math.max(Math.ceil(room / 2), Math.min(nameWidth, room)))
  const start = takeFrom(parts, room - textWidth(end.join('')))
  return `${start.join('')}${signs.more}${end.toReversed().join('')}`
}

function takeFrom(parts: readonly string[], columns: number): string[] {
  let width = 0
  return parts.slice(
    0,
    parts.findIndex((part) => (width += textWidth(part)) > columns),
  )
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

export function count(number: number, one: string, many = `${one}s`): string {
  const digits = String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return `${digits} ${number === 1 ? one : many}`
}
