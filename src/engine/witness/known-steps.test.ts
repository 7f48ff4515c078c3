import { expect, test } from 'vitest'
import type { TurnId } from '#timeline'
import { sortOut } from './known-steps.ts'
import { askedPart, cutPart, stoppedPart } from './reported-steps.ts'

const turn = 'turn' as TurnId
const call = { tool: 'step', turn, began: 10_000, ended: 40_000 }
const written = (startedAt?: number) => () => ({
  outcome: 'ok' as const,
  endedAt: new Date(40_000).toISOString(),
  ...(startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() }),
})

test('changes are unsure while a command waits for permission, and the agent’s from its start on', () => {
  expect(sortOut([call], written(30_000))).toEqual({
    steps: [{ ...call, began: 29_000 }],
    unseen: [{ ...call, ended: 29_000, why: 'a command was waiting for permission' }],
  })
  // The agent notes a start a moment late, so a short wait says nothing.
  expect(sortOut([call], written(12_500))).toEqual({ steps: [call], unseen: [] })
  expect(sortOut([call], written())).toEqual({ steps: [call], unseen: [] })
  // A start after the end is no start of this command.
  expect(sortOut([call], written(90_000))).toEqual({ steps: [call], unseen: [] })
  const cut = { ...call, tool: cutPart('step') }
  const asked = { ...call, tool: askedPart('step') }
  const { steps, unseen } = sortOut([cut, asked], written(30_000))
  expect(steps.map(({ tool, began, ended }) => [tool, began, ended])).toEqual([
    ['step', 29_000, 40_000],
  ])
  expect(unseen.map(({ began, ended }) => [began, ended])).toEqual([[10_000, 29_000]])
})

test('[sem.A3] a step recorded as denied ran if its shell did; it is unsure if the shell may be another step’s', () => {
  const denied = () => ({ outcome: 'denied' as const, endedAt: new Date(20_000).toISOString() })
  const asked = { ...call, tool: askedPart('step') }
  expect(sortOut([{ ...call, tool: cutPart('step') }, asked], denied)).toEqual({
    steps: [],
    unseen: [],
  })
  const stopped = { ...call, tool: stoppedPart('step') }
  const own = sortOut([{ ...stopped, began: 11_000 }, asked], denied)
  expect(own.steps).toMatchObject([{ tool: 'step', began: 11_000, ended: 20_000 }])
  const other = sortOut([stopped, asked], denied)
  expect(other.steps).toEqual([])
  expect(other.unseen).toMatchObject([{ began: 10_000, ended: 40_000 }])
})
