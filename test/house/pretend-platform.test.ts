import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { durableDisk, pinRoot } from '#disk'
import { scene } from '../scene.ts'
import { isPretending } from './pretend-platform.ts'
import { commandOf } from './process-facts.ts'

test('[house] under PLATFORM=darwin Retake and its command lines see no /proc, but tests do', async () => {
  await using s = await scene()
  const root = pinRoot(durableDisk, s.project)
  root.close()
  const asked = "process.platform + require('fs').existsSync('/proc/self/stat')"
  const { stdout } = await s.run(process.execPath, ['-p', asked])
  const has = process.platform === 'linux'
  expect([root.whole.length > 0, existsSync('/proc/self/stat')]).toEqual([has, has])
  expect(stdout.trim()).toBe(`${process.platform}${has}`)
  expect(isPretending && has).toBe(false)
  expect(commandOf(process.pid)).not.toBe('')
})
