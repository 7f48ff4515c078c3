import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/house/built-cli.ts'],
    setupFiles: ['test/setup.ts'],
    // Tests start real agents and real servers; two cores cannot do more at once without
    // timing out in places that have nothing to do with what is tested.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
