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

test('[sem.A3] a command that outlives its killed agent is unsure, and runs until its shell ends', () => {
  expect(steps(killed, true)).toEqual(['B stopped 110-1000 open'])
  expect(steps(killed, false)).toEqual(['B stopped 110-1000'])
  expect(steps([...killed, stamp('end', 300)], false)).toEqual(['B stopped 110-300'])
  expect(steps([...killed, stamp('end', 300), resumed], false)).toEqual(['B stopped 110-300'])
  // The next prompt does not end it: the resumed agent knows nothing of that shell.
  expect(steps([...killed, resumed], true)).toEqual([
    'B stopped 110-500 open',
    'B behind 500-1000 open',
  ])
  expect(steps([...killed, resumed], false)).toEqual(['B stopped 110-500'])
  expect(steps([...killed, resumed, stamp('end', 700)], false)).toEqual([
    'B stopped 110-500',
    'B behind 500-700',
  ])
})

test('[sem.A3] a background command is matched with a shell that starts after its report', () => {
  const started = hook('PostToolUse', 120, { toolUseId: 'B', background: true })
  const background = [call, started, stamp('start', 150)]
  expect(steps(background, true)).toEqual(['B 100-120 open', 'B behind 120-1000 open'])
  expect(steps([...background, stamp('end', 300)], false)).toEqual(['B 100-120', 'B behind 120-300']) // prettier-ignore
  // The shell of the next command says nothing about this one.
  const next = hook('PreToolUse', 140, { toolUseId: 'C', command: 'ls' })
  const later = [call, started, next, stamp('start', 150), stamp('end', 300)]
  expect(steps(later, false)[1]).toBe('B behind 120-1000 open')
})

test('an event that this version does not know does not end a step', () => {
  const post = hook('PostToolUse', 400, { toolUseId: 'B' })
  const unknown = hook('ToolPaused', 200, { toolUseId: 'B' })
  expect(steps([call, unknown, post], false)).toEqual(['B 100-400'])
  expect(steps([unknown], false)).toEqual([])
})
