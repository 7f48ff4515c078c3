import type { BenchReport, Curve, Line } from './measured.ts'

/** The figures that documents quote, by name; null if not measured. */
const quotes: Readonly<Record<string, (report: BenchReport) => string | null>> = {
  'snapshot sentence': snapshotSentence,
  'snapshot table': snapshotTable,
}

const QUOTE = /(<!-- bench: ([a-z ]+) -->\n\n)[^]*?(\n\n<!-- end of bench -->)/g

/** Updates every quoted figure in a document from the report. Unmeasured ones stay. */
export function quoteFigures(document: string, report: BenchReport): string {
  return document.replaceAll(QUOTE, (whole, begin: string, name: string, end: string) => {
    const quote = quotes[name]
    if (quote === undefined) throw new Error(`There is nothing called ${name} to be quoted.`)
    const text = quote(report)
    return text === null ? whole : `${begin}${text}${end}`
  })
}

function curveOf({ benches }: BenchReport, name: string): Curve | undefined {
  return Object.values(benches)
    .flatMap(({ curves = [] }) => curves)
    .find((curve) => curve.name === name)
}

function snapshotSentence(report: BenchReport): string | null {
  const lines = curveOf(report, 'snapshot')?.lines ?? []
  const find = (who: string): Line | undefined => lines.find((line) => line.who === who)
  const [ours, theirs] = [find('Retake, watching'), find('opencode 1.18')]
  const [first, last, other] = [ours?.points[0], ours?.points.at(-1), theirs?.points.at(-1)]
  if (first === undefined || last === undefined || other === undefined) return null
  return (
    `A snapshot takes ${ms(first.median)} ms in a project of ${first.at.toLocaleString('en')} files ` +
    `and ${ms(last.median)} ms in one of ${last.at.toLocaleString('en')} files. opencode’s commands ` +
    `take ${ms(other.median)} ms there, in the same run.`
  )
}

function snapshotTable(report: BenchReport): string | null {
  const lines = curveOf(report, 'snapshot')?.lines ?? []
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))]
  if (sizes.length === 0) return null
  const rows = lines.map(({ who, points }) => [
    who,
    ...sizes.map((size) => {
      const point = points.find(({ at }) => at === size)
      return point === undefined ? '–' : ms(point.median)
    }),
  ])
  const heads = ['who', ...sizes.map((size) => `${size.toLocaleString('en')} files`)]
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}
