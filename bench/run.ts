/**
 * `npm run bench [-- NAME…] [--small|--large] [--json] [--dry]`: runs all benches, or the named ones,
 * and writes docs/reports/bench.md, bench.json and the growth pictures. A part that runs alone
 * replaces only its own figures. `--small` uses small trees and files, `--large` a million files,
 * 50,000 sessions and 5,000 branches; both write nothing, and so does `--dry`. `--against REF`
 * compares with another commit. Takes long; run it on a quiet machine.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setup as buildCli } from '../test/house/built-cli.ts'
import { benchNames } from './benches.ts'
import { readMachine, readVersions } from './machine.ts'
import type { BenchReport, BenchRun, Measured } from './measured.ts'
import { renderReport } from './render-report.ts'
import { readReport, writeReport } from './report-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A bench that hangs must not block the others. */
const TIMEOUT_MS = 60 * 60 * 1000

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
})
const sizes = [...(values.small ? ['--small'] : []), ...(values.large ? ['--large'] : [])]
const isDry = values.dry || sizes.length > 0
const unknown = named.filter((name) => !benchNames.includes(name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are: ${benchNames.join(', ')}.`)
  process.exit(2)
}

if (values.against !== undefined) {
  const { compareWith } = await import('./against.ts')
  process.exit(compareWith(values.against, named, values.small))
}

// All files of the benches are below it, and are removed with it. Short, because of socket paths.
const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'rb-'))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    remove()
    process.exit(130)
  })

const about = {
  run: new Date().toISOString(),
  machine: readMachine(scratch),
  versions: readVersions(),
}
const known: Record<string, BenchRun> = isDry ? {} : { ...readReport().benches }
const done: Record<string, BenchRun> = {}
try {
  // Measure commands as they ship: a start from sources takes three times as long.
  await buildCli()
  for (const name of named.length > 0 ? named : benchNames) {
    const load = loadavg()[0]!
    console.error(`${name}, load ${load.toFixed(1)}`)
    const start = performance.now()
    const measured = await runOne(name)
    const seconds = Math.round((performance.now() - start) / 1000)
    console.error(`${name}: ${'failed' in measured ? measured.failed : `${seconds} s`}`)
    known[name] = done[name] = { ...about, seconds, load, ...measured }
    // After each one, so that a later failure loses no result.
    if (!isDry) writeReport({ schema: 'retake.bench/1', benches: known })
  }
} finally {
  remove()
}
const result: BenchReport = { schema: 'retake.bench/1', benches: done }
console.log(values.json ? JSON.stringify(result, null, 2) : renderReport(result))
if (Object.values(done).some(({ failed }) => failed !== undefined)) process.exitCode = 1

/** In its own process, so that its memory and failures do not affect the next one. */
async function runOne(name: string): Promise<Measured & { failed?: string }> {
  const program = fileURLToPath(new URL('run-one.ts', import.meta.url))
  const answer = join(scratch, 'answer.json')
  rmSync(answer, { force: true })
  const child = spawn(process.execPath, [program, name, answer, ...sizes], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, TMPDIR: scratch },
  })
  const timer = setTimeout(endAll, TIMEOUT_MS)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })
  clearTimeout(timer)
  endAll()
  try {
    // Error messages may contain paths of this machine, which do not belong in the report.
    const text = readFileSync(answer, 'utf8').replaceAll(scratch, '…').replaceAll(root, '')
    return JSON.parse(text) as Measured
  } catch {
    return { figures: [], failed: `it ended with ${code ?? 'a signal'} and without figures` }
  }
}

/** Ends all processes below the scratch directory: servers and agents have process groups of their own. */
function endAll(): void {
  const all = existsSync('/proc') ? readdirSync('/proc') : []
  for (const name of all.filter((each) => /^\d+$/.test(each)))
    try {
      const isOurs = readFileSync(`/proc/${name}/environ`, 'utf8').includes(scratch)
      if (isOurs) process.kill(Number(name), 'SIGKILL')
    } catch {
      // The process has ended, or belongs to another user.
    }
}

function remove(): void {
  endAll()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}
