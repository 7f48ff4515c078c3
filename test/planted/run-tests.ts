import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlantedBug } from './bug.ts'

export type Outcome =
  | { readonly kind: 'green'; readonly tests: number }
  | { readonly kind: 'red'; readonly test: string }
  /** A test or process that never ends: caught, but not by an assertion. */
  | { readonly kind: 'hangs'; readonly test: string | null }
  /** No test failed, but the run did; this proves nothing. */
  | { readonly kind: 'broken'; readonly says: string }

/** Tests time out within minutes; what runs longer blocks the event loop. */
export const LIMIT = 5 * 60 * 1000

/** These tests run no CLI, so it need not be built. */
const IN_PROCESS =
  /^(src|test\/(crash|reader|snapshots)|test\/(operations\/guards|attacks\/door))\b/

/** Runs tests of a tree until the first failure. */
export async function runTests(
  tree: string,
  { tests, named }: Pick<PlantedBug, 'tests' | 'named'>,
  limit: number,
): Promise<Outcome> {
  const file = join(tree, 'planted-report.json')
  await rm(file, { force: true })
  const only = named === undefined ? [] : ['-t', named]
  const reports = ['--reporter=json', `--outputFile=${file}`]
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...reports, ...only, ...tests]
  const isQuick = tests.every((test) => IN_PROCESS.test(test))
  if (isQuick) args.push('--project=house')
  const env = { ...process.env, CI: undefined, LONG: undefined, RUNS: undefined }
  const { isOver, said } = await run(tree, args, {
    env: isQuick ? { ...env, WITHOUT_CLI: '1' } : env,
    limit,
  })
  if (!isOver) return { kind: 'hangs', test: null }
  const report = await readFile(file, 'utf8').catch(() => null)
  if (report === null) return { kind: 'broken', says: said }
  return judge(JSON.parse(report) as Report, said)
}

function judge({ success, testResults }: Report, said: string): Outcome {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = all.find(({ status }) => status === 'failed')
  if (failed !== undefined) {
    const isWait = failed.failureMessages.some((text) => /timed out in \d+ms/i.test(text))
    return { kind: isWait ? 'hangs' : 'red', test: failed.fullName }
  }
  const tests = all.filter(({ status }) => status === 'passed').length
  if (success && tests > 0) return { kind: 'green', tests }
  const messages = testResults.flatMap(({ message }) => message ?? [])
  return { kind: 'broken', says: [...messages, said].join('\n') }
}

interface Report {
  readonly success: boolean
  readonly testResults: readonly {
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

async function run(
  cwd: string,
  args: string[],
  { env, limit }: { env: NodeJS.ProcessEnv; limit: number },
): Promise<{ isOver: boolean; said: string }> {
  // Its own process group, so that nothing a test started outlives the limit.
  const child = spawn(process.execPath, args, { cwd, env, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (said = `${said}${String(part)}`.slice(-4000)))
  let isOver = true
  const endGroup = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // The group has already ended.
    }
  }
  const timer = setTimeout(() => {
    isOver = false
    endGroup()
  }, limit)
  const stop = (): void => {
    endGroup()
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  endGroup()
  return { isOver, said }
}
