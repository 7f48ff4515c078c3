/**
 * Runs the tests of Codex with real versions of it: `npm run test:agents`, optionally with the
 * versions to try. They are fetched with npm into a temporary directory, 170 MB each, without
 * running their scripts.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measuredVersions } from '../../src/agents/codex/move/versions.ts'

const asked = process.argv.slice(2)
const versions = asked.length > 0 ? asked : measuredVersions

const failed = versions.filter((version) => {
  const binary = fetchVersion(version)
  process.stdout.write(`\nCodex ${version}\n`)
  const { status } = spawnSync(
    'vitest',
    ['run', 'test/agents/codex.test.ts', 'test/codex', 'test/codex-live'],
    {
      stdio: 'inherit',
      env: { ...process.env, TEST_CODEX: binary },
    },
  )
  return status !== 0
})
process.stdout.write(
  failed.length === 0 ? `\nAll right: ${versions.join(', ')}\n` : `\nNot: ${failed.join(', ')}\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1

function fetchVersion(version: string): string {
  const directory = join(tmpdir(), 'retake-codex-versions', version)
  const known = findBinary(directory)
  if (known !== null) return known
  mkdirSync(directory, { recursive: true })
  const wanted = `@openai/codex@${version}-${process.platform}-${process.arch}`
  const packed = execFileSync('npm', ['pack', '--json', wanted], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  execFileSync('tar', ['xzf', filename], { cwd: directory })
  const binary = findBinary(directory)
  if (binary === null) throw new Error(`${wanted} has no program.`)
  chmodSync(binary, 0o755)
  return binary
}

function findBinary(directory: string): string | null {
  if (!existsSync(directory)) return null
  const found = readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((path) =>
    /vendor\/[^/]+\/(bin|codex)\/codex$/.test(path),
  )
  return found === undefined ? null : join(directory, found)
}
