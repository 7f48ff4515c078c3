import { expect, test } from 'vitest'
import type { TurnId } from '#timeline'
import { moveState } from './pending-move.ts'
import type { PendingMove } from '../project/operation-details.ts'

const [one, two, three] = ['t1', 't2', 't3'] as [TurnId, TurnId, TurnId]
/** From turn 2 to turn 1, decided when the transcript had 100 bytes. */
const move: PendingMove = {
  target: one,
  tip: two,
  from: two,
  size: 100,
  operation: 1,
  byShell: false,
}

/** A session with its head, and its turns with the places of their rows. */
function session(head: TurnId, turns: readonly (readonly [TurnId, number, string?, string?])[]) {
  const entries = turns.map(([id, , kind = 'prompt'], n) => ({
    turn: { id, kind, parent: turns[n - 1]?.[0] ?? null },
  }))
  const find = (id: TurnId) => turns.find(([each]) => each === id)!
  const open = {
    conversation: { head, turns: entries },
    placesOf: (id: TurnId) => [find(id)[1]],
    hasCalls: (id: TurnId) => find(id)[3] !== undefined,
  }
  return { open } as never
}

const before = [
  [one, 0],
  [two, 50],
] as const

test('[sem.C3] a pending move is open at its start, done at its target, and void elsewhere', () => {
  expect(moveState(session(two, before), move)).toBe('open')
  expect(moveState(session(one, before), move)).toBe('done')
  expect(moveState(session(three, before), move)).toBe('void')
})

test('[sem.C3] a prompt sent since voids it, wherever the conversation went after that', () => {
  for (const head of [one, two, three])
    expect(moveState(session(head, [...before, [three, 120]]), move), head).toBe('void')
  // An orphan is no prompt, and neither is the `!` command that asked for the move.
  expect(moveState(session(two, [...before, [three, 120, 'orphan']]), move)).toBe('open')
  const byShell = { ...move, byShell: true }
  expect(moveState(session(three, [...before, [three, 120, 'shell']]), byShell)).toBe('open')
  // Nor is one that only reads, such as `!git diff`, unless the agent answered it with tool calls.
  expect(moveState(session(three, [...before, [three, 120, 'shell']]), move)).toBe('open')
  expect(moveState(session(three, [...before, [three, 120, 'shell', 'call']]), move)).toBe('void')
  // After the target, it was typed once the move was done: the conversation continues from it.
  const back = { ...move, target: two, from: one }
  expect(moveState(session(three, [...before, [three, 120, 'shell']]), back)).toBe('void')
})
