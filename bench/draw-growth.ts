import type { BenchReport, Curve, Line, Point } from './measured.ts'

export type Theme = 'light' | 'dark'

/**
 * Colours that remain distinct with color blindness (after Okabe and Ito). Each line also has its own
 * marker and its name next to it.
 */
const COLOURS = {
  light: {
    paper: '#ffffff',
    ink: '#1f2328',
    quiet: '#59636e',
    grid: '#d8dee4',
    ours: '#0b62b8',
    others: ['#c14a00', '#00735c', '#a8337f', '#8a6100', '#4d5a66', '#6a4fb3', '#2a7fa6'],
  },
  dark: {
    paper: '#0d1117',
    ink: '#f0f6fc',
    quiet: '#9198a1',
    grid: '#2b323b',
    ours: '#58b0ff',
    others: ['#ff8a4c', '#3fcfa8', '#f08fcb', '#e3b341', '#aab4be', '#b39dff', '#7fd4f5'],
  },
} as const

/** A program has the same colour and marker in both panels. */
const ORDER = [
  'opencode 1.18',
  'Gemini CLI',
  'Cline',
  'Roo Code',
  'git read-tree, all synced',
  'Cline SDK',
  'opencode 2025',
]
/** Only in the tables: here they would clutter the picture. */
const LEFT_OUT = new Set([
  'git, given the paths',
  'lstat of every file, in C',
  'read + sha1 + sync of the file',
  'Claude Code (its own edits only)',
])

const WIDTH = 920
const HEIGHT = 380
const PANEL = { width: 252, height: 270, top: 72 }
const LEFTS = [46, 506]
const LINE = 15

/** Two panels, snapshot and restore over the size of the tree; null if neither was measured. */
export function drawGrowth({ benches }: BenchReport, theme: Theme): string | null {
  const all = Object.values(benches).flatMap(({ curves = [] }) => curves)
  const panels = ['snapshot', 'restore'].flatMap((name) => all.filter((each) => each.name === name))
  if (panels.length === 0) return null
  const colours = COLOURS[theme]
  const style = [
    `text{font:12px -apple-system,'Segoe UI','Noto Sans',Helvetica,Arial,sans-serif;fill:${colours.quiet}}`,
    `.title{font-size:14px;font-weight:600;fill:${colours.ink}}.ours{font-weight:600}`,
  ].join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title desc">`,
    `<title id="title">How snapshot and restore grow with the number of files</title>`,
    `<desc id="desc">${escape(panels.map(describe).join(' '))}</desc>`,
    `<style>${style}</style>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="6" fill="${colours.paper}"/>`,
    ...panels.map((curve, n) => drawPanel(curve, LEFTS[n]!, theme)),
    '</svg>\n',
  ].join('\n')
}

function drawPanel(curve: Curve, left: number, theme: Theme): string {
  const colours = COLOURS[theme]
  const lines = curve.lines.filter(({ who, points }) => points.length > 0 && !LEFT_OUT.has(who))
  const points = lines.flatMap((line) => line.points)
  const scale = {
    x: logScale(
      points.map(({ at }) => at),
      left,
      left + PANEL.width,
    ),
    y: logScale(
      points.map(({ median }) => median),
      PANEL.top + PANEL.height,
      PANEL.top,
    ),
  }
  const bottom = PANEL.top + PANEL.height
  const right = left + PANEL.width
  const parts = [
    `<text class="title" x="${left - 32}" y="30">${escape(curve.what)}</text>`,
    `<text x="${left - 32}" y="50">milliseconds over number of files, both logarithmic</text>`,
  ]
  for (const value of scale.y.ticks) {
    const y = round(scale.y.at(value))
    parts.push(
      `<path d="M${left} ${y}H${right}" stroke="${colours.grid}"/>`,
      `<text x="${left - 6}" y="${y + 4}" text-anchor="end">${short(value)}</text>`,
    )
  }
  for (const value of new Set(points.map(({ at }) => at))) {
    const x = round(scale.x.at(value))
    parts.push(`<text x="${x}" y="${bottom + 20}" text-anchor="middle">${short(value)}</text>`)
  }
  const drawn = lines.map((line) => ({
    line,
    colour: colourOf(line, colours),
    places: line.points.map((point) => place(point, scale)),
  }))
  const labels = spreadOut(
    drawn.map(({ places }) => places.at(-1)!.y),
    PANEL.top,
    bottom,
  )
  for (const [n, { line, colour, places }] of drawn.entries()) {
    const path = places.map(({ x, y }) => `${x} ${y}`).join('L')
    const end = places.at(-1)!
    const y = round(labels[n]!)
    parts.push(
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="${line.isOurs ? 3 : 1.6}"${dashOf(line)}/>`,
      ...places.map(({ x, y }) => markOf(line, x, y, colour)),
      // Connects the last mark with its name, which may have been moved.
      `<path d="M${end.x + 6} ${end.y}L${right + 14} ${y}" fill="none" stroke="${colour}" stroke-width=".8" opacity=".6"/>`,
      `<text ${line.isOurs ? 'class="ours" ' : ''}x="${right + 18}" y="${y + 4}" style="fill:${colour}">${escape(labelOf(line))}</text>`,
    )
  }
  return `<g>\n${parts.join('\n')}\n</g>`
}

interface Scale {
  at(value: number): number
  readonly ticks: readonly number[]
}

/** Heights span whole powers of ten, widths the measured sizes. */
function logScale(values: readonly number[], from: number, to: number): Scale {
  const isHeight = from > to
  const [least, most] = [Math.min(...values), Math.max(...values)].map(Math.log10) as [
    number,
    number,
  ]
  const low = isHeight ? Math.floor(least) : least
  const high = Math.max(isHeight ? Math.ceil(most) : most, low + 1)
  const ticks = Array.from({ length: Math.floor(high - low) + 1 }, (_, n) => 10 ** (low + n))
  const at = (value: number): number =>
    from + ((Math.log10(value) - low) / (high - low)) * (to - from)
  return { at, ticks }
}

function place(point: Point, scale: { x: Scale; y: Scale }): { x: number; y: number } {
  return { x: round(scale.x.at(point.at)), y: round(scale.y.at(point.median)) }
}

/** Moves overlapping names apart, in their order, and keeps them in the panel. */
export function spreadOut(wanted: readonly number[], top: number, bottom: number): number[] {
  const order = wanted.map((y, n) => ({ y, n })).toSorted((a, b) => a.y - b.y)
  for (let n = 1; n < order.length; n += 1)
    order[n]!.y = Math.max(order[n]!.y, order[n - 1]!.y + LINE)
  let most = bottom
  for (const each of order.toReversed()) {
    each.y = Math.max(Math.min(each.y, most), top)
    most = each.y - LINE
  }
  const result = wanted.map(() => 0)
  for (const { y, n } of order) result[n] = y
  return result
}

function describe({ what, over, lines }: Curve): string {
  const said = lines
    .filter(({ who, points }) => points.length > 0 && !LEFT_OUT.has(who))
    .map(({ who, points }) => {
      const [first, last] = [points[0]!, points.at(-1)!]
      const from = `${precise(first.median)} ms at ${first.at.toLocaleString('en')} ${over}`
      return `${who}: ${from}, ${precise(last.median)} ms at ${last.at.toLocaleString('en')}`
    })
  return `${what}. ${said.join('; ')}.`
}

type Colours = (typeof COLOURS)[Theme]

function colourOf({ who, isOurs }: Line, colours: Colours): string {
  return isOurs ? colours.ours : colours.others[indexOf(who) % colours.others.length]!
}

function indexOf(who: string): number {
  return Math.max(0, ORDER.indexOf(who))
}

function dashOf({ isOurs, who }: Line): string {
  return isOurs && who.includes('just started') ? ' stroke-dasharray="7 4"' : ''
}

function labelOf({ who, points }: Line): string {
  const short = who.replace(', journaled and synced', '').replace(', all synced', '')
  return `${short}: ${precise(points.at(-1)!.median)}`
}

function markOf({ who, isOurs }: Line, x: number, y: number, colour: string): string {
  const fill = `fill="${colour}"`
  if (isOurs) return `<circle cx="${x}" cy="${y}" r="4.5" ${fill}/>`
  const shapes = [
    `<rect x="${x - 3}" y="${y - 3}" width="6" height="6" ${fill}/>`,
    `<path d="M${x} ${y - 4}l4 7h-8z" ${fill}/>`,
    `<path d="M${x} ${y - 4.5}l4.5 4.5-4.5 4.5-4.5-4.5z" ${fill}/>`,
    `<path d="M${x} ${y + 4}l4-7h-8z" ${fill}/>`,
    `<path d="M${x - 4} ${y}h8M${x} ${y - 4}v8" stroke="${colour}" stroke-width="2"/>`,
    `<path d="M${x - 3} ${y - 3}l6 6M${x + 3} ${y - 3}l-6 6" stroke="${colour}" stroke-width="2"/>`,
    `<circle cx="${x}" cy="${y}" r="3" fill="none" stroke="${colour}" stroke-width="1.6"/>`,
  ]
  return shapes[indexOf(who) % shapes.length]!
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function short(value: number): string {
  return value >= 1000
    ? `${Number((value / 1000).toPrecision(3))}k`
    : `${Number(value.toPrecision(3))}`
}

function precise(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
