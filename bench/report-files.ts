import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawGrowth, type Theme } from './draw-growth.ts'
import type { BenchReport } from './measured.ts'
import { quoteFigures } from './quotes.ts'
import { renderReport } from './render-report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Documents that quote figures. */
export const quoting = ['README.md', 'docs/others.md']
const json = join(root, 'docs/reports/bench.json')

export function readReport(): BenchReport {
  if (!existsSync(json)) return { schema: 'retake.bench/1', benches: {} }
  return JSON.parse(readFileSync(json, 'utf8')) as BenchReport
}

/** Writes the figures, the report, the pictures, and the quotes in documents. */
export function writeReport(measured: BenchReport): void {
  // Drawn and quoted from the rounded figures in the file, so that both can be reproduced from it.
  const report = JSON.parse(JSON.stringify(measured, rounded)) as BenchReport
  const files: Record<string, string> = {
    'docs/reports/bench.json': `${JSON.stringify(report, null, 2)}\n`,
    'docs/reports/bench.md': renderReport(report),
  }
  for (const path of quoting) {
    const text = readFileSync(join(root, path), 'utf8')
    const quoted = quoteFigures(text, report)
    if (quoted !== text) files[path] = quoted
  }
  for (const theme of ['light', 'dark'] as const satisfies Theme[]) {
    const picture = drawGrowth(report, theme)
    if (picture !== null) files[`docs/pictures/growth-${theme}.svg`] = picture
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  const written = Object.keys(files).filter((path) => !path.endsWith('.svg'))
  const format = [join(root, 'node_modules/oxfmt/bin/oxfmt'), ...written]
  execFileSync(process.execPath, format, { cwd: root, stdio: 'ignore' })
}

/** Microseconds suffice; more digits would be noise in the git history. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
}
