import { expect, test } from 'vitest'
import { isMeasured, measuredVersions } from '../../src/agents/claude-code/move/versions.ts'

test('[sem.C2] measured behaviour is data, and nothing else is assumed', () => {
  expect(measuredVersions.every(isMeasured)).toBe(true)
  expect(['2.1.198', '2.1.99'].map(isMeasured)).toEqual([true, true])
  expect(['2.1.326', '2.2.0', '10.0.0', '2.0.75', '1.0.999', 'dev', null].map(isMeasured)).toEqual(
    Array.from({ length: 7 }, () => false),
  )
})
