import { expect, test } from 'vitest'
import { editsOfCall, previewOfCall, type Call } from './edits.ts'

/** The record of one file's `Edit`. */
function edit(input: object, result: object | undefined, more: Partial<Call> = {}) {
  const call: Call = {
    id: 'call',
    tool: 'Edit',
    input: { file_path: '/p/a', ...input },
    result,
    said: '',
    at: null,
    by: 'agent',
    cwd: '/p',
    ...more,
  }
  return editsOfCall(call)[0]!
}

const unknown = expect.objectContaining({ kind: 'unknown' })

test('[sem.A6] the text after an edit is exactly what it wrote', () => {
  const before = { originalFile: 'a $x b $x' }
  const piece = { old_string: '$x', new_string: '$& $1 $$' }
  expect(edit(piece, before).after).toEqual({ kind: 'text', text: 'a $& $1 $$ b $x' })
  const all = { ...piece, replace_all: true }
  expect(edit(all, before).after).toEqual({ kind: 'text', text: 'a $& $1 $$ b $& $1 $$' })
})

test('[sem.A6] the result of an edit that does not apply to the recorded text is unknown', () => {
  const before = { originalFile: 'a\n' }
  expect(edit({ old_string: 'z', new_string: 'y' }, before).after).toEqual(unknown)
  expect(edit({ old_string: '', new_string: 'y' }, before).after).toEqual(unknown)
  const several = {
    edits: [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'a', new_string: 'c' },
    ],
  }
  expect(edit(several, before, { tool: 'MultiEdit' }).after).toEqual(unknown)
})

test('[sem.A6] a file counts as new only if the agent says that it created it', () => {
  const write = { content: 'new' }
  const of = (result: object | undefined, said = ''): unknown =>
    edit(write, result, { tool: 'Write', said }).before
  expect(of({ type: 'create', originalFile: null })).toEqual({ kind: 'absent' })
  expect(of(undefined, 'File created successfully at: /p/a')).toEqual({ kind: 'absent' })
  expect(of({ type: 'update', originalFile: null })).toEqual(unknown)
  expect(of(undefined, 'The file /p/a has been updated.')).toEqual(unknown)
  expect(of({ type: 'update', originalFile: '' })).toEqual({ kind: 'text', text: '' })
})

test('[sem.A11] a path is resolved from the directory of its step, without dots and double slashes', () => {
  const at = (path: string, cwd: string | null = '/p/sub') =>
    edit({ file_path: path }, undefined, { cwd }).path
  expect(at('a')).toBe('/p/sub/a')
  expect(at('../a')).toBe('/p/a')
  expect(at('/p//x/../a')).toBe('/p/a')
  expect(at('a', null)).toBe('a')
})

test('[G7] an edit that waits for approval is previewed against the present file', () => {
  const preview = (tool: string, input: object, present: string | null | undefined) =>
    previewOfCall({ id: 'call', tool, input: { file_path: 'a', ...input } }, '/p', (path) => {
      expect(path).toBe('/p/a')
      return present
    })
  const piece = { old_string: 'one', new_string: 'two' }
  expect(preview('Edit', piece, 'one\n')).toEqual({ before: 'one\n', after: 'two\n' })
  expect(preview('Write', { content: 'new\n' }, 'old\n')).toEqual({
    before: 'old\n',
    after: 'new\n',
  })
  expect(preview('Write', { content: 'new\n' }, null)).toEqual({ before: '', after: 'new\n' })
  // No preview if the file cannot be shown, or the edit does not apply to it.
  expect(preview('Write', { content: 'new\n' }, undefined)).toBeNull()
  expect(preview('Edit', piece, 'three\n')).toBeNull()
  expect(preview('Bash', { command: 'ls' }, 'one\n')).toBeNull()
})
