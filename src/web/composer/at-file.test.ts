import { expect, test } from 'vitest'
import { findAt, insertPath } from './at-file.ts'

const at = (text: string): string | null => {
  const caret = text.indexOf('|')
  return findAt(text.replace('|', ''), caret)?.typed ?? null
}

test('[composer] an @ at the start of a word lists files; an email address does not', () => {
  expect(at('@|')).toBe('')
  expect(at('look at @src/ap|')).toBe('src/ap')
  expect(at('look at (@src|')).toBe('src')
  expect(at('line\n@a|bc')).toBe('a')
  expect(at('@"my fi|')).toBe('my fi')
  expect(at('me@example.org|')).toBe(null)
  expect(at('@done and|')).toBe(null)
  expect(at('@"closed" |')).toBe(null)
  expect(at('|@later')).toBe(null)
})

test('[composer] a chosen path replaces the typed text, quoted if it has spaces', () => {
  const insert = (text: string, path: string): string => {
    const caret = text.indexOf('|')
    const plain = text.replace('|', '')
    const done = insertPath(plain, findAt(plain, caret)!, path)
    return `${done.text.slice(0, done.caret)}|${done.text.slice(done.caret)}`
  }
  expect(insert('see @ap|', 'src/app.ts')).toBe('see @src/app.ts |')
  expect(insert('see @ap| and more', 'src/app.ts')).toBe('see @src/app.ts |and more')
  expect(insert('@my|', 'my file.txt')).toBe('@"my file.txt" |')
  expect(insert('@"my fi|', 'my file.txt')).toBe('@"my file.txt" |')
  expect(insert('@s|', 'src/')).toBe('@src/|')
  expect(insert('@m|', 'my dir/')).toBe('@"my dir/|')
})
