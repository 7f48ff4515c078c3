import { describe, expect, test } from 'vitest'
import {
  isOwnName,
  nameBytes,
  nameText,
  ownNames,
  spellsGit,
  splitLast,
  splitPath,
} from './names.ts'

const invalid = expect.objectContaining({ code: 'path-invalid' })

describe('[FT18] names are bytes', () => {
  test.each([
    ['plain', Buffer.from('a.txt'), 'a.txt'],
    ['UTF-8', Buffer.from('ü€😀'), 'ü€😀'],
    ['latin-1', Buffer.from([0x66, 0xfc, 0x72]), 'f\udcfcr'],
    ['half a character', Buffer.from([0xe2, 0x82]), '\udce2\udc82'],
    ['an encoded surrogate', Buffer.from([0xed, 0xb2, 0x80]), '\udced\udcb2\udc80'],
    ['mixed', Buffer.from([0xff, 0xc3, 0xa9, 0x0a]), '\udcffé\n'],
    ['a character beside a stray byte', Buffer.from([0xf0, 0x9f, 0x98, 0x80, 0x80]), '😀\udc80'],
  ])('%s', (_, bytes, text) => {
    expect(nameText(bytes)).toBe(text)
    expect(nameBytes(text).equals(bytes)).toBe(true)
  })

  test('every byte survives the round trip', () => {
    for (let first = 0; first < 256; first += 1)
      for (const rest of [[], [0x80], [0xbf, 0xbf], [0x41]]) {
        const bytes = Buffer.from([first, ...rest])
        expect(nameBytes(nameText(bytes)).equals(bytes)).toBe(true)
      }
  })

  test.each([
    ['a lone high surrogate', '\ud800'],
    ['a low surrogate that encodes no byte', '\udc20'],
    ['two escapes that together spell a character', '\udcc3\udca9'],
  ])('%s is not a valid name', (_, text) => {
    expect(() => nameBytes(text)).toThrow(invalid)
  })
})

describe('[S9] paths', () => {
  test.each(['..', 'a/../b', '/a', 'a//b', 'a/', './a', 'a/.', 'a\0b'])('%j is refused', (path) => {
    expect(() => splitPath(path)).toThrow(invalid)
  })

  test('a path is split into its parts', () => {
    expect(splitPath('a/ b/-c')).toEqual(['a', ' b', '-c'])
    expect(splitPath('')).toEqual([])
    expect(splitLast('a/b/c')).toEqual({ parent: 'a/b', name: 'c' })
    expect(splitLast('a')).toEqual({ parent: '', name: 'a' })
  })

  test.each([
    '.git',
    '.GIT',
    '.Git',
    '.g\u200cit',
    '.git.',
    '.git ',
    '.git. .',
    'GIT~1',
    '.git::$DATA',
  ])('%j means .git on some file system', (name) => expect(spellsGit(name)).toBe(true))

  test.each(['.github', '.gitignore', 'git', 'a.git', '.git2', 'git~2'])('%j is not', (name) =>
    expect(spellsGit(name)).toBe(false),
  )

  test('the names of an operation’s own files are recognised and all different', () => {
    const names = [0, 1, 10].flatMap((n) => Object.values(ownNames('t', n)))
    expect(new Set(names).size).toBe(12)
    expect(names.every(isOwnName)).toBe(true)
    expect(isOwnName('.retakes')).toBe(false)
  })
})
