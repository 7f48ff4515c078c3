import type { Span, StyledLine } from '../agent/styled-line.ts'

export type Theme = 'light' | 'dark'

/** A screen, and how long it is shown. */
export interface Frame {
  readonly lines: readonly StyledLine[]
  readonly ms: number
}

export interface Window {
  readonly title: string
  /** Alternative text for screen readers. */
  readonly description: string
  readonly rows: number
  readonly columns: number
}

/** GitHub's colours, so that the window fits its pages. */
const COLOURS = {
  light: {
    paper: '#ffffff', bar: '#f6f8fa', border: '#d1d9e0', ink: '#1f2328', quiet: '#59636e',
    ansi: ['#1f2328', '#cf222e', '#116329', '#7d4e00', '#0550ae', '#8250df', '#1b7c83', '#59636e'],
  },
  dark: {
    paper: '#0d1117', bar: '#161b22', border: '#3d444d', ink: '#f0f6fc', quiet: '#9198a1',
    ansi: ['#656c76', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#f0f6fc'],
  },
} as const // prettier-ignore

const CELL = { width: 8, height: 18 }
const BAR = 30
const MARGIN = 14

/** An animated SVG: each line is visible from its first to its last frame. */
export function drawRecording(frames: readonly Frame[], window: Window, theme: Theme): string {
  const { paper, bar, border, ink, quiet, ansi } = COLOURS[theme]
  const width = window.columns * CELL.width + 2 * MARGIN
  const height = window.rows * CELL.height + BAR + 2 * MARGIN
  const total = frames.reduce((sum, { ms }) => sum + ms, 0)
  const shown = intervalsOf(frames, window.rows)
  const times = [...new Set(shown.map(({ from, to }) => `${from} ${to}`))]
  const rules = times.map((time, n) => {
    const [from, to] = time.split(' ').map(Number) as [number, number]
    const stays = to === total
    const keys = [
      from === 0 ? '' : '0%{visibility:hidden}',
      `${percent(from, total)}{visibility:visible}`,
      stays ? '' : `${percent(to, total)}{visibility:hidden}`,
    ]
    // With reduced motion, only the last frame shows.
    return `@keyframes k${n}{${keys.join('')}}.k${n}{${stays ? '' : 'visibility:hidden;'}animation:k${n} ${total / 1000}s step-end infinite}`
  })
  const style = [
    `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${ink};white-space:pre}`,
    `.title{fill:${quiet}}.b{font-weight:600}.d{fill:${quiet}}`,
    ...ansi.map((colour, n) => `.c${n}{fill:${colour}}`),
    ...rules,
    '@media (prefers-reduced-motion:reduce){[class^=k]{animation:none}}',
  ]
  const lines = shown.map(({ row, line, from, to }) => {
    const y = BAR + MARGIN + row * CELL.height
    const drawn = line.map((span) => drawSpan(span, y, ink))
    return `<g class="k${times.indexOf(`${from} ${to}`)}">${drawn.join('')}</g>`
  })
  const dots = [ansi[1], ansi[3], ansi[2]].map(
    (fill, n) => `<circle cx="${20 + n * 18}" cy="15" r="5" fill="${fill}"/>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escape(window.title)}</title><desc id="desc">${escape(window.description)}</desc>`,
    `<style>${style.join('')}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${paper}" stroke="${border}"/>`,
    `<path d="M1 ${BAR}V9a8 8 0 0 1 8-8h${width - 18}a8 8 0 0 1 8 8v${BAR - 9}z" fill="${bar}"/>`,
    ...dots,
    `<text class="title" x="${width / 2}" y="19" text-anchor="middle">${escape(window.title)}</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n')
}

interface Shown {
  readonly row: number
  readonly line: StyledLine
  readonly from: number
  to: number
}

function intervalsOf(frames: readonly Frame[], rows: number): Shown[] {
  return Array.from({ length: rows }, (_, row) => {
    const shown: Shown[] = []
    let now = 0
    for (const { lines, ms } of frames) {
      const line = lines[row] ?? []
      const last = shown.at(-1)
      if (last !== undefined && JSON.stringify(last.line) === JSON.stringify(line)) last.to += ms
      else shown.push({ row, line, from: now, to: now + ms })
      now += ms
    }
    return shown.filter(({ line }) => line.length > 0)
  }).flat()
}

function drawSpan(
  { column, text, colour, bold, dim, inverse, cursor }: Span,
  top: number,
  ink: string,
): string {
  const x = MARGIN + column * CELL.width
  if (cursor)
    return `<rect x="${x}" y="${top + 1}" width="${CELL.width}" height="15" fill="${ink}" opacity=".6"/>`
  if (text.trim() === '') return ''
  const names = [
    colour === null ? '' : `c${colour % 8}`,
    bold || inverse ? 'b' : '',
    dim ? 'd' : '',
  ]
  const set = names.filter(Boolean).join(' ')
  const fitted = /^[\u0020-\u007E]{2,}$/.test(text)
    ? ` textLength="${text.length * CELL.width}"`
    : ''
  return `<text${set === '' ? '' : ` class="${set}"`} x="${x}" y="${top + 13}"${fitted}>${escape(text)}</text>`
}

function percent(ms: number, total: number): string {
  return `${Number(((ms / total) * 100).toFixed(3))}%`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
