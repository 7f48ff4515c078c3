import { expect, test } from 'vitest'
import { isOnPath } from './has-need.ts'
import { noteOf, type Need } from './needs-table.ts'
import { explainedIds, requirementIds } from './requirement-ids.ts'
import { missingLines, unexplainedIds, unprovenRequirements, type Ended } from './suite-reporter.ts'

const skipped = (name: string, ...missing: Need[]): Ended => ({
  name,
  state: 'skipped',
  note: noteOf(missing),
})
const passed = (name: string): Ended => ({ name, state: 'passed', note: undefined })

test('a missing program is one line with the number of skipped tests', () => {
  const ended = [
    skipped('a', 'zsh'),
    skipped('b', 'fish'),
    skipped('c', 'fish', 'mount'),
    passed('d'),
  ]
  expect(missingLines(ended)).toEqual([
    'fish is missing: 2 tests skipped (apt-get install fish)',
    'mount is missing: 1 test skipped',
    'zsh is missing: 1 test skipped (apt-get install zsh)',
  ])
})

test('a requirement is proven only by a test that passed', () => {
  const ended = [
    passed('[W6][sem.V1] both'),
    skipped('[U7] skipped', 'zsh'),
    { ...passed('[G3] red'), state: 'failed' as const },
  ]
  expect(unprovenRequirements(ended, ['W6', 'U7', 'G3', 'B1'])).toEqual(['U7', 'G3', 'B1'])
})

test('an unexplained id is found', () => {
  const ended = [passed('[W6][sem.V1] both'), passed('[Q7][house] a slip')]
  expect(unexplainedIds(ended, explainedIds())).toEqual(['Q7'])
  expect(requirementIds()).toHaveLength(67)
})

test('a program is on the PATH or missing', () => {
  expect(isOnPath('sh')).toBe(true)
  expect(isOnPath('sh', '/nowhere')).toBe(false)
})
