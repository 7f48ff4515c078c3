/**
 * `npm run test:attacks`: runs all attacks at full length and writes a table of the results to the
 * terminal and to docs/reports/attacks.md.
 *
 *   npm run test:attacks                  # all
 *   npm run test:attacks -- network       # only these files; keeps the last results of the others
 *
 * `RUNS=1` makes the fuzzer send 800 requests instead of 1,000,000, `PAYLOADS=100` opens fewer
 * payloads; the report states the actual numbers.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Attack, ReportedAttack } from './report-attack.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kept = join(root, 'node_modules/.cache/retake-tests/attacks.json')
const scratch = await mkdtemp(join(tmpdir(), 'retake-attacks-'))
const reported = join(scratch, 'attacks.jsonl')
const results = join(scratch, 'results.json')
await writeFile(reported, '')

/** The last results of a test file. */
interface Piece {
  readonly day: string
  readonly attacks: readonly Attack[]
  readonly tests: readonly { readonly title: string; readonly status: string }[]
}

const only = process.argv.slice(2)
const files = only.length === 0 ? ['test/attacks'] : only.map((name) => `test/attacks/${name}`)
const shown = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
const code = await run(['vitest', 'run', ...files, '--testTimeout=0', ...shown])
const pieces = { ...(only.length === 0 ? {} : await readKept()), ...(await readPieces()) }
await mkdir(dirname(kept), { recursive: true })
await writeFile(kept, JSON.stringify(pieces))
const table = tableOf(Object.values(pieces).flatMap(({ attacks }) => attacks))
await writeReport(Object.values(pieces))
console.log(`\n${table}\n`)
await rm(scratch, { recursive: true })
process.exitCode = code

async function readKept(): Promise<Record<string, Piece>> {
  const text = await readFile(kept, 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, Piece>
}

async function readPieces(): Promise<Record<string, Piece>> {
  const { testResults } = JSON.parse(await readFile(results, 'utf8')) as {
    testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
  }
  const lines = (await readFile(reported, 'utf8')).split('\n').filter(Boolean)
  const attacks = Map.groupBy(
    lines.map((line) => JSON.parse(line) as ReportedAttack),
    ({ file }) => file,
  )
  const day = new Date().toISOString().slice(0, 10)
  return Object.fromEntries(
    testResults.map(({ name, assertionResults }) => [
      name.slice(root.length),
      {
        day,
        attacks: attacks.get(name) ?? [],
        tests: assertionResults.map(({ title, status }) => ({ title, status })),
      },
    ]),
  )
}

function tableOf(attacks: readonly Attack[]): string {
  const number = (value: number): string => value.toLocaleString('en')
  const rows = attacks
    .toSorted((a, b) => goalOf(a) - goalOf(b))
    .map(({ goals, attack, tried, held }) => [goals, attack, number(tried), number(held)])
  return [['goal', 'attack', 'tried', 'held'], ['---', '---', '--:', '--:'], ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

function goalOf({ goals }: Attack): number {
  return Number(/\d+/.exec(goals))
}

async function writeReport(all: readonly Piece[]): Promise<void> {
  const tests = all.flatMap((piece) => piece.tests)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const days = [...new Set(all.map(({ day }) => day))].toSorted()
  const { version } = await readJson('package.json')
  const chromium = await readJson('node_modules/@sparticuz/chromium/package.json')
  const report = `# Attacks

Made by \`npm run test:attacks\` on ${days.join(', ')}: Retake ${version}, Node ${process.versions.node},
${process.platform} ${process.arch}, Chromium of @sparticuz/chromium ${chromium.version} where the machine has none.

“Held” means that the attack read nothing, changed nothing, ran nothing and sent nothing off the machine.
[REQUIREMENTS.md](../../test/REQUIREMENTS.md) explains the goals.

${table}

## The tests

${passed} of ${tests.length} passed.

${tests
  .map(({ title, status }) => `- ${title}: ${status}`)
  .toSorted()
  .join('\n')}
`
  await mkdir(join(root, 'docs/reports'), { recursive: true })
  await writeFile(join(root, 'docs/reports/attacks.md'), report)
  await run(['oxfmt', 'docs/reports/attacks.md'])
}

async function readJson(path: string): Promise<{ version: string }> {
  return JSON.parse(await readFile(join(root, path), 'utf8')) as { version: string }
}

function run([command, ...args]: readonly string[]): Promise<number> {
  const env = { ...process.env, LONG: '1', ATTACKS: reported, RUNS: process.env['RUNS'] ?? '1250' }
  const child = spawn(command!, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', (ended) => resolve(ended ?? 1)))
}
