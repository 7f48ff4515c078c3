import { expect, test } from 'vitest'
import { bearerOf, makeKeys } from './keys.ts'

test('[S2] a launch code works once, for a minute; an unknown one never works', () => {
  let now = 0
  const keys = makeKeys(() => now)
  const [first, second] = [keys.makeCode(), keys.makeCode()]
  expect([keys.spendCode('none'), keys.spendCode(''), keys.spendCode(keys.token)]).not.toContain(
    true,
  )
  expect([keys.spendCode(first), keys.spendCode(first)]).toEqual([true, false])
  now = 60_001
  expect(keys.spendCode(second)).toBe(false)
})

test('[S2] of many unused links only the newest work', () => {
  const keys = makeKeys(() => 0)
  const codes = Array.from({ length: 17 }, () => keys.makeCode())
  expect(codes.map((code) => keys.spendCode(code))).toEqual([false, ...Array(16).fill(true)])
})

test('[S2] only the exact token after the exact word is accepted', () => {
  const keys = makeKeys()
  const { token } = keys
  const lets = (header: string | undefined): boolean => keys.isToken(bearerOf(header))
  expect(lets(`Bearer ${token}`)).toBe(true)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const wrong = [undefined, '', token, `bearer ${token}`, `Bearer ${token} `, `Bearer ${token}x`]
  const others = [`Bearer ${makeKeys().token}`, `Bearer ${token.slice(1)}`, 'Bearer ']
  expect([...wrong, ...others].filter(lets)).toEqual([])
})
