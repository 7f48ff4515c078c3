/**
 * Runs before every test file. No test may reach the user's home: the variables that lead there
 * point at a trap, and a test that leaves anything in the trap fails.
 */
import { tmpdir } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { afterAll, afterEach } from 'vitest'
import { setHomeTrap } from './house/home-trap.ts'
import { endOpenScenes } from './scene.ts'

// Trees are compared with their modes, and a developer's umask of 077 or 002 would show in them.
if (isMainThread) process.umask(0o022)

const trap = setHomeTrap(process.env, tmpdir())

afterEach(() => trap.check())
afterAll(endOpenScenes)
