import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Scene, scene } from '../scene.ts'

export interface PlantedRun extends AsyncDisposable {
  /** The scene of the planted run; its `tmp` was the run's. */
  readonly s: Scene
  readonly code: number
  /** `name: passed` or `name: failed`, in order. */
  readonly outcomes: readonly string[]
  readonly failures: readonly string[]
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a test file that misbehaves on purpose, with this repository's setup. */
export async function runPlanted(source: string): Promise<PlantedRun> {
  const setup = JSON.stringify(join(repository, 'test/setup.ts'))
  const s = await scene({
    files: {
      'planted.test.ts': source,
      'vitest.config.ts': `export default { test: { setupFiles: [${setup}], testTimeout: 500 } }`,
    },
  })
  await symlink(join(repository, 'node_modules'), join(s.project, 'node_modules'))
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const report = ['--reporter=json', '--outputFile=report.json']
  const { code } = await s.run(process.execPath, [vitest, 'run', ...report])
  const { testResults } = JSON.parse(await s.read('report.json')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    s,
    code,
    outcomes: results.map(({ title, status }) => `${title}: ${status}`),
    failures: results.flatMap(({ failureMessages }) => failureMessages),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  }
}

interface Report {
  testResults: {
    assertionResults: { title: string; status: string; failureMessages: string[] }[]
  }[]
}
