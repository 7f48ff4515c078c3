import { expect, test } from 'vitest'
import { compareFigures } from '../../bench/compare-figures.ts'
import type { Figure } from '../../bench/measured.ts'

const cost = (value: number | null): Figure[] => [
  { what: 'a cost', value, unit: 'ms', goal: { most: null } },
]
const gain = (value: number): Figure[] => [
  { what: 'a gain', value, unit: '× as quick', goal: { least: 2 } },
]

function verdicts(before: readonly Figure[][], after: readonly Figure[][]): string[] {
  return compareFigures('bench', { before, after }).map(({ verdict }) => verdict)
}

test('[house] a figure got worse if every round did, and by a tenth at least', () => {
  expect(verdicts([cost(10), cost(11)], [cost(13), cost(14)])).toEqual(['worse'])
  expect(verdicts([cost(13), cost(14)], [cost(10), cost(11)])).toEqual(['better'])
  // One round was as quick as before.
  expect(verdicts([cost(10), cost(13)], [cost(13), cost(20)])).toEqual([''])
  expect(verdicts([cost(100), cost(101)], [cost(102), cost(103)])).toEqual([''])
  expect(verdicts([gain(4), gain(5)], [gain(2), gain(3)])).toEqual(['worse'])
  expect(verdicts([gain(2), gain(3)], [gain(4), gain(5)])).toEqual(['better'])
})

test('[house] a figure whose quartiles reach the other commit’s did not change', () => {
  const noisy = (median: number): Figure[] => {
    const ours = { median, low: median / 2, high: median * 2, rounds: 5 }
    return [{ what: 'a cost', value: median, unit: 'ms', goal: { most: null }, ours }]
  }
  expect(verdicts([noisy(10), noisy(11)], [noisy(13), noisy(14)])).toEqual([''])
  expect(verdicts([noisy(10), noisy(11)], [noisy(90), noisy(100)])).toEqual(['worse'])
})

test('[house] figures that one commit does not have, or could not measure, are not compared', () => {
  expect(verdicts([gain(4)], [cost(1)])).toEqual([])
  expect(verdicts([cost(null)], [cost(1)])).toEqual([])
})
