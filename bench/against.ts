/**
 * `npm run bench -- --against REF [NAME…] [--small]`: the same benches with the sources of another
 * commit and with these, in turn, and every figure that got worse. Writes nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchNames } from './benches.ts'
import { compareFigures, type Compared, type Side } from './compare-figures.ts'
import type { BenchReport, Figure } from './measured.ts'
import { amount, table } from './render-report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Each side is first once and last once, so that a machine that gets busier affects both. */
const TURNS: readonly Side[] = ['before', 'after', 'after', 'before']

/** Returns the exit code: 1 if a figure got worse. */
export function compareWith(ref: string, names: readonly string[], isSmall: boolean): number {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'retake-against-'))
  try {
    const roots = { before: checkOut(ref, directory), after: root }
    const all: Compared[] = []
    for (const name of names.length > 0 ? names : benchNames) {
      const measured: Record<Side, Figure[][]> = { before: [], after: [] }
      for (const side of TURNS) measured[side].push(measure(roots[side], name, isSmall))
      all.push(...compareFigures(name, measured))
    }
    console.log(
      table(
        ['bench', 'what', ref, 'now', 'change', ''],
        all.map(({ bench, what, unit, before, after, change, verdict }) => [
          bench,
          what,
          `${amount(before)} ${unit}`,
          `${amount(after)} ${unit}`,
          `${change > 0 ? '+' : ''}${(change * 100).toFixed(0)} %`,
          verdict === 'worse' ? '**worse**' : verdict,
        ]),
      ),
    )
    return all.some(({ verdict }) => verdict === 'worse') ? 1 : 0
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The files of a commit, with their own packages if it has others. */
function checkOut(ref: string, directory: string): string {
  const to = join(directory, 'before')
  mkdirSync(to)
  const files = execFileSync('git', ['archive', ref], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['x'], { cwd: to, input: files })
  const lockAt = (at: string): string => readFileSync(join(at, 'package-lock.json'), 'utf8')
  if (lockAt(to) === lockAt(root)) symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'))
  else execFileSync('npm', ['ci'], { cwd: to, stdio: ['ignore', 2, 2] })
  return to
}

function measure(at: string, name: string, isSmall: boolean): Figure[] {
  if (name === 'web') start(at, ['scripts/build.ts'])
  const options = isSmall ? ['--small'] : []
  // A commit that does not know the option writes its report, which is removed with it.
  const isOurs = at === root
  const said = start(at, ['bench/run.ts', name, '--json', ...options, ...(isOurs ? ['--dry'] : [])])
  const report = JSON.parse(said) as BenchReport
  return [...(report.benches[name]?.figures ?? [])]
}

function start(at: string, args: readonly string[]): string {
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: at,
    stdio: ['ignore', 'pipe', 2],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  return stdout
}
