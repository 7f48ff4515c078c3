import { expect, test } from 'vitest'
import { FAILURE_CODES } from '../../src/failure-codes.ts'
import { readDocument } from './document.ts'

test('[F7][W21] docs/errors.md explains every failure code once, and no other', () => {
  const rows = readDocument('docs/errors.md').matchAll(/^\| (`[^|]+`) *\|/gm)
  const explained = [...rows].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code!),
  )
  expect(explained.toSorted()).toEqual([...FAILURE_CODES].toSorted())
})
