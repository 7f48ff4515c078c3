import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { stillRuns } from './inspect-process.ts'

test('[sem.A3] a pid that was given to a later process, or to a process that ended, does not run on', async () => {
  // The shell becomes a program that never asks for its ended child.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'])
  try {
    const child = Number(String((await once(parent.stdout, 'data'))[0]))
    expect(stillRuns(parent.pid!, Date.now())).toBe(true)
    expect(stillRuns(parent.pid!, Date.now() - 60_000)).toBe(false)
    await expect.poll(() => stillRuns(child, Date.now())).toBe(false)
    expect(() => process.kill(child, 0)).not.toThrow()
  } finally {
    parent.kill('SIGKILL')
    await once(parent, 'close')
  }
  expect(stillRuns(parent.pid!, Date.now())).toBe(false)
})
