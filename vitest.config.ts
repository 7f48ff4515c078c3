import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/house/longest-first.ts'
import { findHeavyTests } from './test/house/needs-agent.ts'
import { SuiteReporter } from './test/house/suite-reporter.ts'

/** Minutes each: `npm run test:long` runs them, with everything else; `test:faults` tries the same faults. */
const long = [
  'test/matrix/matrix.test.ts',
  'test/crash/errno.test.ts',
  'test/crash/meanwhile.test.ts',
  'test/attacks/long/**',
  'test/inplace/random.test.ts',
]
const isLong = process.env['LONG'] !== undefined
/** `npm run test:quick` leaves out what starts the agent or a browser, and what takes many seconds. */
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
    // Who runs hundreds of small runs one after the other does without, where none starts it.
    globalSetup: [
      'test/house/in-memory.ts',
      ...(process.env['WITHOUT_CLI'] === undefined ? ['test/house/built-cli.ts'] : []),
    ],
    // Dozens of processes each; on a busy machine a test takes several times as long as on an idle one.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A worker reads the house, the rooms and their packages once, and not once for every file.
    isolate: false,
    reporters: ['default', new SuiteReporter()],
    // Who waits for a condition waits for a machine that may be busy.
    expect: { poll: { timeout: 30_000 } },
    // Two more than cores: a test that waits for an agent, a server or a browser leaves its core to
    // another. Each worker starts agents and servers of its own, so that many more would time out.
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
