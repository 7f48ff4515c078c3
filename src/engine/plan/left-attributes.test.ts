import { expect, test } from 'vitest'
import { readAttributes } from './left-attributes.ts'

test('[sem.A5] attributes are read for files with any name', () => {
  const printed = '# file: x\\012y é\nuser.a\nuser.b\n\n# file: /lib/c\nsystem.posix_acl_access\n\n'
  expect(readAttributes(Buffer.from(printed))).toEqual(
    new Map([
      ['x\ny é', ['user.a', 'user.b']],
      ['/lib/c', ['system.posix_acl_access']],
    ]),
  )
  expect(readAttributes(Buffer.alloc(0)).size).toBe(0)
})
