import { expect, test } from 'vitest'
import { savedByEditor } from './editor-names.ts'

test('[sem.A2] a temporary name reveals the file that an editor saved', () => {
  const saved: [string, string][] = [
    ['.notes.md.swp', 'notes.md'],
    ['notes.md~', 'notes.md'],
    ['.#notes.md', 'notes.md'],
    ['notes.md___jb_tmp___', 'notes.md'],
    ['notes.md.aKxQzB', 'notes.md'],
    ['4913', 'notes.md'],
    ['.goutputstream-A1B2C3', 'notes.md'],
  ]
  for (const [temporary, file] of saved)
    expect([temporary, savedByEditor(new Set([file, temporary]))(file)]).toEqual([temporary, true])
  expect(savedByEditor(new Set(['notes.md', 'other.md~']))('notes.md')).toBe(false)
})

test('[sem.A2] temporary names of other programs do not count as an editor’s', () => {
  for (const temporary of [
    'sedAbC123',
    'package.json.1234567',
    'tmp8x2',
    '.f.tmp',
    'f.tmp',
    'f.orig',
  ])
    for (const file of ['package.json', 'f'])
      expect(savedByEditor(new Set([file, temporary]))(file)).toBe(false)
})
