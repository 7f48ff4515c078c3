/**
 * Runs the longer walks of the matrix with other versions of Claude Code: `npm run test:versions`,
 * optionally with the versions to try. They are fetched with npm into a temporary directory,
 * without running their scripts.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measuredVersions } from '../../src/agents/claude-code/move/versions.ts'

const NAME = '@anthropic-ai/claude-code'

/** `npm test` already covers the version that `npm ci` installs. */
const asked = process.argv.slice(2)
const versions = asked.length > 0 ? asked : measuredVersions.slice(0, -1)

const failed = versions.filter((version) => {
  const binary = fetchVersion(version)
  process.stdout.write(`\nClaude Code ${version}\n`)
  const { status } = spawnSync('vitest', ['run', 'test/matrix/matrix.test.ts'], {
    stdio: 'inherit',
    env: { ...process.env, TEST_CLAUDE: binary, MATRIX: 'whole' },
  })
  return status !== 0
})
process.stdout.write(
  failed.length === 0 ? `\nAll right: ${versions.join(', ')}\n` : `\nNot: ${failed.join(', ')}\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1

/** Older versions are one Node script, newer ones a binary per platform. */
function fetchVersion(version: string): string {
  const directory = join(tmpdir(), 'retake-versions', version)
  const binary = join(directory, 'run')
  if (existsSync(binary)) return binary
  mkdirSync(directory, { recursive: true })
  const bin = JSON.parse(npm(directory, 'view', `${NAME}@${version}`, 'bin', '--json')) as unknown
  const isScript = JSON.stringify(bin).includes('cli.js')
  const platform = isScript ? '' : `-${process.platform}-${process.arch}`
  const [{ filename }] = JSON.parse(
    npm(directory, 'pack', '--json', `${NAME}${platform}@${version}`),
  ) as [{ filename: string }]
  execFileSync('tar', ['xzf', filename], { cwd: directory })
  const main = join(directory, 'package', isScript ? 'cli.js' : 'claude')
  if (readFileSync(main).length === 0) throw new Error(`${main} is empty.`)
  chmodSync(main, 0o755)
  const command = isScript ? `"${process.execPath}" "${main}"` : `"${main}"`
  writeFileSync(binary, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  return binary
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
