import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/house/longest-first.ts'
import { findHeavyTests } from './test/house/needs-agent.ts'
import { SuiteReporter } from './test/house/suite-reporter.ts'

/** Minutes each. `npm run test:long` runs them too; `test:faults` injects the same faults. */
const long = [
  'test/matrix/matrix.test.ts',
  'test/crash/errno.test.ts',
  'test/crash/meanwhile.test.ts',
  'test/attacks/long/**',
  'test/inplace/random.test.ts',
]
const isLong = process.env['LONG'] !== undefined
/** `npm run test:quick` skips tests that start the agent or a browser, and other slow tests. */
const quickWithout = (): string[] => [
  ...findHeavyTests(import.meta.dirname),
  'test/attacks/limits.test.ts',
  'test/crash/{die,kill,many,model,race,sync}.test.ts',
  'test/docs/docs.test.ts',
  'test/house/package.test.ts',
  'test/reader/fuzz.test.ts',
  'test/snapshots/{observe,watch}.property.test.ts',
]
const without = [
  ...(isLong ? [] : long),
  ...(process.env['QUICK'] === undefined ? [] : quickWithout()),
]

export default defineConfig({
  test: {
    // Callers that start vitest hundreds of times skip building the CLI if no test runs it.
    globalSetup: [
      'test/house/in-memory.ts',
      ...(process.env['WITHOUT_CLI'] === undefined ? ['test/house/built-cli.ts'] : []),
    ],
    // A test starts dozens of processes; on a busy machine it takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // Without isolation, a worker loads helpers, rooms and packages once, not once per test file.
    isolate: false,
    reporters: ['default', new SuiteReporter()],
    // Conditions take longer to hold on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Two more workers than cores: a test that waits for an agent, server or browser leaves its
    // core idle. Many more would time out, because each worker starts its own agents and servers.
    maxWorkers: 2 + Math.min(availableParallelism(), 3),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'house',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/web/**', ...without],
          setupFiles: ['test/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['test/web/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...without],
          globalSetup: ['test/house/built-page.ts', 'test/web/browser-homes.ts'],
          setupFiles: ['test/setup.ts'],
        },
      },
    ],
  },
})
