import { expect } from 'vitest'
import { needs } from '../needs.ts'
import { asPlatform } from './as-platform.ts'
import { commandOf, memoryOf, stateOf } from './process-facts.ts'

needs('linux', 'ps')('[house] `ps` says of a process what /proc says', async () => {
  const NONE = 2 ** 22 + 1
  const facts = () => [commandOf(process.ppid), stateOf(NONE), commandOf(NONE)]
  expect(await asPlatform('darwin', facts)).toEqual(facts())
  const [proc, ps] = [memoryOf(process.ppid), await asPlatform('darwin', () => memoryOf(process.ppid))] // prettier-ignore
  expect(Math.abs(proc - ps)).toBeLessThan(proc / 2)
})
