import { createHash } from 'node:crypto'
import { assert, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { shortDigest } from './short-digest.ts'

test('[4.6] names of projects are SHA-256, whoever computes it', () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  // Around each length where another block begins.
  for (let length = 0; length < 200; length++) {
    const bytes = new Uint8Array(length).fill(length)
    expect(shortDigest(bytes)).toBe(sha256(bytes))
  }
  assert(property(uint8Array({ maxLength: 4200 }), (b) => shortDigest(b) === sha256(b)))
})
