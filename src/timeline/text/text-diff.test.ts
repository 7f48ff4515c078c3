import { describe, expect, test } from 'vitest'
import { fileOf, memoryContents } from '../data/contents.testing.ts'
import { countLines, diffValues } from './text-diff.ts'
import { absent, type Value } from '../data/value.ts'

const contents = memoryContents()
const file = (text: string, mode?: number) => fileOf(contents, text, mode)

describe('counting lines', () => {
  test('[F5] counts a file’s lines before and after, and the added and removed ones', () => {
    expect(countLines(contents, file('a\nb\nc\n'), file('a\nX\nY\nc\n'))).toEqual({
      added: 2,
      removed: 1,
      linesNow: 3,
      linesAfter: 4,
      binary: false,
    })
  })

  test('[F5] a created or deleted file counts with all its lines', () => {
    const counts = { linesNow: 0, linesAfter: 2, added: 2, removed: 0, binary: false }
    expect(countLines(contents, absent, file('a\nb'))).toEqual(counts)
    expect(countLines(contents, file('a\nb'), absent)).toMatchObject({ added: 0, removed: 2 })
  })

  test('[F5] a file that is not text has no lines', () => {
    expect(countLines(contents, file('a\n'), file('\0'))).toMatchObject({ binary: true, added: 0 })
    expect(countLines(contents, file('a\n'), { kind: 'symlink', target: 'a' })).toMatchObject({
      binary: true,
    })
  })
})

describe('showing a difference', () => {
  test('[F5] hunks carry the lines around them and their numbers', () => {
    const old = file('1\n2\n3\n4\n5\n6\n7\n8\n9\n')
    const now = file('1\n2\n3\n4\nX\n6\n7\n8\n9\nY\n')
    expect(diffValues(contents, old, now, { context: 1 })).toEqual({
      kind: 'text',
      hunks: [
        {
          oldFrom: 4,
          oldCount: 3,
          newFrom: 4,
          newCount: 3,
          lines: [
            { change: 'same', text: '4', unfinished: false },
            { change: 'removed', text: '5', unfinished: false },
            { change: 'added', text: 'X', unfinished: false },
            { change: 'same', text: '6', unfinished: false },
          ],
        },
        {
          oldFrom: 9,
          oldCount: 1,
          newFrom: 9,
          newCount: 2,
          lines: [
            { change: 'same', text: '9', unfinished: false },
            { change: 'added', text: 'Y', unfinished: false },
          ],
        },
      ],
    })
  })

  test('[F5] changes near each other are shown as one hunk', () => {
    const diff = diffValues(contents, file('a\nb\nc\nd\n'), file('X\nb\nc\nY\n'), { context: 3 })
    expect(diff).toMatchObject({ hunks: [{ oldFrom: 1, oldCount: 4, newFrom: 1, newCount: 4 }] })
  })

  test('[F5] a lost final newline and changed line ends are shown', () => {
    const diff = diffValues(contents, file('a\nb\n'), file('a\r\nb'))
    expect(diff).toMatchObject({
      hunks: [
        {
          lines: [
            { change: 'removed', text: 'a' },
            { change: 'removed', text: 'b', unfinished: false },
            { change: 'added', text: 'a\r' },
            { change: 'added', text: 'b', unfinished: true },
          ],
        },
      ],
    })
  })

  test('[F5] equal values, changed modes and files that are not text are distinguished', () => {
    expect(diffValues(contents, file('a'), file('a'))).toEqual({ kind: 'same' })
    expect(diffValues(contents, file('a'), file('a', 0o755))).toEqual({ kind: 'text', hunks: [] })
    expect(diffValues(contents, file('a'), file('\0'))).toEqual({ kind: 'not-text' })
  })

  test('[F5] a link is shown by its target, and only on request', () => {
    const link = (target: string): Value => ({ kind: 'symlink', target })
    const lines = (from: Value, to: Value): unknown => {
      const diff = diffValues(contents, from, to, { links: true })
      return diff.kind === 'text' && diff.hunks.flatMap((hunk) => hunk.lines.map(({ change, text }) => `${change} ${text}`)) // prettier-ignore
    }
    expect(lines(link('old'), link('new'))).toEqual(['removed -> old', 'added -> new'])
    expect(lines(absent, link('new'))).toEqual(['added -> new'])
    expect(lines(file('a\n'), link('new'))).toEqual(['removed a', 'added -> new'])
    expect(diffValues(contents, link('a'), link('a'), { links: true })).toEqual({ kind: 'same' })
    expect(diffValues(contents, link('a'), link('b'))).toEqual({ kind: 'not-text' })
  })

  test('[F5] the empty side of a new file has line number 0', () => {
    const diff = diffValues(contents, absent, file('a\n'))
    expect(diff).toMatchObject({ hunks: [{ oldFrom: 0, oldCount: 0, newFrom: 1, newCount: 1 }] })
  })
})
