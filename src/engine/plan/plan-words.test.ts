import { expect, test } from 'vitest'
import type { NotCovered } from '#timeline'
import type { Project } from '../project/index.ts'
import { leftNotCovered } from './left-of.ts'
import { becauseOf, refusalOf } from './plan-words.ts'

test('[sem.A5] a plan does not say that a deleted file stays', () => {
  const left = { path: 'f', turns: [], why: 'unknown-before' } as unknown as NotCovered
  const large = { ...left, because: 'it is larger than the size limit' }
  const pipe = { ...left, because: 'it is neither a file nor a link nor a directory' }
  expect(becauseOf(large)).toMatch(/^it is larger .*, so it stays as it is$/)
  expect(becauseOf(large, 'nothing')).toMatch(/^it was larger .*, so it is not restored$/)
  expect(becauseOf(pipe, 'something-else')).toMatch(/^it was neither .* what is there now stays$/)
  expect(becauseOf(left, 'nothing')).toMatch(/are not known, so it is not restored$/)
})

test('[sem.A5] a refusal does not say that a deleted file stays', () => {
  const because = 'it has several names (hard links)'
  const gone = { path: 'gone', turns: [], why: 'unknown-before', because } as unknown as NotCovered
  const left = leftNotCovered({ path: '/nowhere' } as Project, [gone])
  const { message } = refusalOf({ why: 'not-invertible', operations: [] }, left)
  expect(message).toContain('gone: it had several names (hard links), so it is not restored')
})
