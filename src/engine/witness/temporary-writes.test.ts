import { expect, test } from 'vitest'
import { absent, type ContentId, type ProjectPath, type Value } from '#timeline'
import { isTemporaryWrite } from './temporary-writes.ts'

test('[sem.A5] an agent’s temporary file that a scan met is no change', () => {
  const unread: Value = { kind: 'unknown', why: 'it changed while it was read' }
  const file: Value = { kind: 'file', content: 'c' as ContentId, mode: 0o644 }
  const path = 'src/a.ts.tmp.4711.0a1b2c3d4e5f' as ProjectPath
  const is = (before: Value, after: Value, { at = path, stands = false } = {}): boolean =>
    isTemporaryWrite({ path: at, before, after }, () => stands)
  expect(is(absent, unread)).toBe(true)
  expect(is(unread, absent)).toBe(true)
  // What was read can be restored, what is there now must be named, other names are users' files.
  expect(is(file, absent)).toBe(false)
  expect(is(absent, unread, { stands: true })).toBe(false)
  expect(is(unread, absent, { at: 'src/a.tmp' as ProjectPath })).toBe(false)
})
