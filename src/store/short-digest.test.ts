import { createHash } from 'node:crypto'
import { assert, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { shortDigest } from './short-digest.ts'

test('[4.6] project keys are the same SHA-256 that node:crypto computes', () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  // Lengths around each block boundary.
  for (let length = 0; length < 200; length++) {
    const bytes = new Uint8Array(length).fill(length)
    expect(shortDigest(bytes)).toBe(sha256(bytes))
  }
  assert(property(uint8Array({ maxLength: 4200 }), (b) => shortDigest(b) === sha256(b)))
})
