import { expect, test } from 'vitest'
import type { SpoolEvent } from '#agents'
import { reportedSteps } from './reported-steps.ts'

const at = (ms: number): bigint => BigInt(ms) * 1_000_000n
const hook = (name: string, ms: number, more: object = {}): SpoolEvent =>
  ({ kind: 'hook', file: `${name}${ms}`, at: at(ms), name, session: 's', ...more }) as SpoolEvent
const stamp = (name: 'start' | 'end', ms: number): SpoolEvent => ({
  kind: 'shell',
  file: `${name}${ms}`,
  at: at(ms),
  name,
  session: 's',
  shell: 7,
})

const call = hook('PreToolUse', 100, { toolUseId: 'B', command: 'make' })
const [killed, resumed] = [[call, stamp('start', 110)], hook('UserPromptSubmit', 500)]

/** The steps at time 1000, with the agent killed; the times of hooks that asked are left out. */
function steps(events: readonly SpoolEvent[], isShellAlive: boolean): string[] {
  const reading = { now: 1000, isAlive: () => false, isShellAlive: () => isShellAlive }
  return reportedSteps(events, reading)
    .filter(({ step }) => !step.tool.endsWith(' asked'))
    .map(({ step, isOpen }) => `${step.tool} ${step.began}-${step.ended}${isOpen ? ' open' : ''}`)
}

test('[sem.A3] a command that outlives its killed agent runs until its shell ends', () => {
  expect(steps(killed, true)).toEqual(['B cut 110-1000 open'])
  expect(steps(killed, false)).toEqual(['B cut 110-1000'])
  expect(steps([...killed, stamp('end', 700)], false)).toEqual(['B 110-700'])
  // The next prompt does not end it: the resumed agent knows nothing of that shell.
  expect(steps([...killed, resumed], true)).toEqual([
    'B cut 110-500 open',
    'B behind 500-1000 open',
  ])
  expect(steps([...killed, resumed], false)).toEqual(['B cut 110-500'])
  expect(steps([...killed, resumed, stamp('end', 700)], false)).toEqual([
    'B cut 110-500',
    'B behind 500-700',
  ])
})

test('an event that this version does not know does not end a step', () => {
  const post = hook('PostToolUse', 400, { toolUseId: 'B' })
  const unknown = hook('ToolPaused', 200, { toolUseId: 'B' })
  expect(steps([call, unknown, post], false)).toEqual(['B 100-400'])
  expect(steps([unknown], false)).toEqual([])
})
