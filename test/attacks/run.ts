/**
 * `npm run test:attacks`: all attacks with their long numbers, a table of what was tried and what
 * held, and the same as docs/reports/attacks.md.
 *
 * `RUNS=1` sends 800 requests of the fuzzer instead of 100,000, `PAYLOADS=100` opens fewer payloads;
 * the report says what was really tried.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Attack } from './tell-attack.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const scratch = await mkdtemp(join(tmpdir(), 'retake-attacks-'))
const told = join(scratch, 'attacks.jsonl')
const results = join(scratch, 'results.json')
await writeFile(told, '')

const shown = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
const code = await run(['vitest', 'run', 'test/attacks', '--testTimeout=0', ...shown])
const { numPassedTests, numTotalTests, testResults } = JSON.parse(
  await readFile(results, 'utf8'),
) as {
  numPassedTests: number
  numTotalTests: number
  testResults: { assertionResults: { title: string; status: string }[] }[]
}
const attacks = (await readFile(told, 'utf8'))
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Attack)
const number = (value: number): string => value.toLocaleString('en')
const rows = attacks
  .toSorted((a, b) => Number(/\d+/.exec(a.goals)) - Number(/\d+/.exec(b.goals)))
  .map(({ goals, attack, tried, held }) => [goals, attack, number(tried), number(held)])
const table = [['goal', 'attack', 'tried', 'held'], ['---', '---', '--:', '--:'], ...rows]
  .map((row) => `| ${row.join(' | ')} |`)
  .join('\n')
const others = testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .map(({ title, status }) => `- ${title}: ${status}`)
  .toSorted()
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  version: string
}
const chromium = JSON.parse(
  await readFile(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
) as { version: string }

const report = `# Attacks

Made by \`npm run test:attacks\` on ${new Date().toISOString().slice(0, 10)}: Retake ${version}, Node ${process.versions.node},
${process.platform} ${process.arch}, Chromium of @sparticuz/chromium ${chromium.version} where the machine has none.

“Held” means: nothing was told, nothing was changed, nothing ran, nothing left the machine. The goals are
those of the tests' names.

${table}

## The tests

${numPassedTests} of ${numTotalTests} passed.

${others.join('\n')}
`
await mkdir(join(root, 'docs/reports'), { recursive: true })
await writeFile(join(root, 'docs/reports/attacks.md'), report)
await run(['oxfmt', 'docs/reports/attacks.md'])
console.log(`\n${table}\n`)
await rm(scratch, { recursive: true })
process.exitCode = code

function run([command, ...args]: readonly string[]): Promise<number> {
  const env = { ...process.env, LONG: '1', ATTACKS: told, RUNS: process.env['RUNS'] ?? '125' }
  const child = spawn(command!, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', (ended) => resolve(ended ?? 1)))
}
