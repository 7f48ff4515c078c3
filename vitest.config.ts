import { configDefaults, defineConfig } from 'vitest/config'
import { SuiteReporter } from './test/house/suite-reporter.ts'

/** Minutes each: `npm run test:long` runs them, with everything else; `test:faults` tries the same faults. */
const long = [
  'test/matrix/matrix.test.ts',
  'test/crash/errno.test.ts',
  'test/crash/meanwhile.test.ts',
  'test/attacks/long/**',
]
const isLong = process.env['LONG'] !== undefined

export default defineConfig({
  test: {
    // Who runs hundreds of small runs one after the other does without, where none starts it.
    globalSetup: process.env['WITHOUT_CLI'] === undefined ? ['test/house/built-cli.ts'] : [],
    // Dozens of processes each; on a busy machine a test takes several times as long as on an idle one.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A worker reads the house, the rooms and their packages once, and not once for every file.
    isolate: false,
    reporters: ['default', new SuiteReporter()],
    // Who waits for a condition waits for a machine that may be busy.
    expect: { poll: { timeout: 30_000 } },
    // Tests start real agents and real servers; two cores cannot do more at once without
    // timing out in places that have nothing to do with what is tested.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'house',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/web/**', ...(isLong ? [] : long)],
          setupFiles: ['test/setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['test/web/**/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          // A browser beside a server and an agent fills both cores: after all others.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
