/**
 * Runs before every test file. No test may reach the user's home: the variables that lead there
 * point at a trap, and a test that writes to the trap fails.
 */
import { tmpdir } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { configureGlobal } from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { DisposableStack } from '../scripts/disposable-stack.ts'
import { setHomeTrap } from './house/home-trap.ts'
import { pretendPlatform } from './house/pretend-platform.ts'
import { endOpenScenes } from './scene.ts'

pretendPlatform()

// Node 22 has none; the bundle brings it too.
Object.assign(globalThis, { DisposableStack })

// Tests compare file modes, and a developer's umask of 077 or 002 would change them.
if (isMainThread) process.umask(0o022)

// The same histories in every run, so that a failure is due to the change and not to chance. Set
// SEED to search for new failures, and RUNS for more histories.
configureGlobal({ seed: Number(process.env['SEED'] ?? 20_260_101) })

const trap = setHomeTrap(process.env, tmpdir())

afterEach(() => trap.check())
afterAll(endOpenScenes)
