/**
 * Runs the tests of an agent with real versions of it, and prints a table:
 * `npm run test:versions -- codex 0.166.0`. Without versions it takes all tested ones, without an
 * agent both agents.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { agents, type TestedAgent } from './agents.ts'
import { versionDirectory } from './fetch-package.ts'

interface Row {
  readonly agent: string
  readonly version: string
  readonly result: 'ok' | 'failed'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const [wanted, ...versions] = process.argv.slice(2)
const known = agents.map(({ id }) => id)
if (wanted !== undefined && !known.includes(wanted))
  throw new Error(`Unknown agent ${wanted}. Name one of these first: ${known.join(', ')}.`)

const rows = agents
  .filter(({ id }) => wanted === undefined || id === wanted)
  .flatMap((agent) =>
    (versions.length > 0 ? versions : agent.versions).map((version) => runTests(agent, version)),
  )
console.table(rows)
process.exitCode = rows.every(({ result }) => result === 'ok') ? 0 : 1

function runTests({ id, tests, fetch, env }: TestedAgent, version: string): Row {
  const binary = fetch(version)
  process.stdout.write(`\n${id} ${version}\n`)
  const report = join(versionDirectory(id, version), 'report.json')
  rmSync(report, { force: true })
  const { status } = spawnSync(
    'vitest',
    [
      'run',
      ...tests(version),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { stdio: 'inherit', env: { ...process.env, ...env(binary) } },
  )
  if (!existsSync(report)) throw new Error(`The tests of ${id} ${version} wrote no report.`)
  const counts = JSON.parse(readFileSync(report, 'utf8')) as Record<
    'numPassedTests' | 'numFailedTests' | 'numPendingTests',
    number
  >
  return {
    agent: id,
    version,
    result: status === 0 ? 'ok' : 'failed',
    passed: counts.numPassedTests,
    failed: counts.numFailedTests,
    skipped: counts.numPendingTests,
  }
}
