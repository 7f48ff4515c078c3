import { describe, expect, test } from 'vitest'
import { bytesOf, fileOf, latin1, memoryContents } from '../data/contents.testing.ts'
import { mergeText } from './merge-text.ts'
import { viewConflict } from './merge-view.ts'
import { mergeValues, type Merge } from './merge.ts'
import { absent, type SymlinkValue, type Value } from '../data/value.ts'

const contents = memoryContents()
const file = (text: string, mode?: number) => fileOf(contents, text, mode)
const link = (target: string): SymlinkValue => ({ kind: 'symlink', target })

function merge(base: Value, ours: Value, theirs: Value): Merge {
  return mergeValues(contents, { base, ours, theirs })
}

function mergeLines(base: string, ours: string, theirs: string): string {
  const split = (text: string) => file(text.split(' ').join('\n') + '\n')
  const result = merge(split(base), split(ours), split(theirs))
  if (result.kind === 'conflict') return result.reason
  return textOf(result).trimEnd().split('\n').join(' ')
}

function textOf(result: Merge): string {
  if (result.kind !== 'merged' || result.value.kind !== 'file') throw new Error('not merged')
  return latin1(contents.bytes(result.value.content))
}

describe('values', () => {
  test('[sem.M1] equal sides stay, and an unchanged side takes the other one', () => {
    const [a, b, c] = [file('a'), file('b'), file('c')]
    expect(merge(a, b, b)).toEqual({ kind: 'merged', value: b, how: 'same', kept: [] })
    expect(merge(a, a, b)).toEqual({ kind: 'merged', value: b, how: 'put', kept: [] })
    expect(merge(a, b, a)).toEqual({ kind: 'merged', value: b, how: 'keep', kept: [] })
    expect(merge(a, b, c)).toMatchObject({ kind: 'conflict' })
  })

  test('[sem.M1] absent is a value and differs from an empty file', () => {
    expect(merge(absent, absent, file(''))).toMatchObject({ how: 'put', value: file('') })
    expect(merge(file(''), absent, file('a'))).toMatchObject({ reason: 'gone-here' })
  })

  test('[sem.M2] absent sides, kinds, symlinks and binary files conflict, each with its own reason', () => {
    expect(merge(file('a'), absent, file('b'))).toMatchObject({ reason: 'gone-here' })
    expect(merge(file('a'), file('b'), absent)).toMatchObject({ reason: 'changed-here' })
    expect(merge(absent, file('a'), file('b'))).toMatchObject({ reason: 'made-twice' })
    expect(merge(file('a'), link('x'), file('b'))).toMatchObject({ reason: 'kinds-differ' })
    expect(merge(link('a'), link('b'), link('c'))).toMatchObject({ reason: 'symlink' })
    expect(merge(file('a\n\0'), file('b\n\0'), file('a\n\0c'))).toMatchObject({ reason: 'binary' })
  })

  test('[sem.A6] an unknown side merges with nothing, not even with itself', () => {
    const unknown: Value = { kind: 'unknown', why: 'never read' }
    expect(merge(unknown, unknown, file('a'))).toMatchObject({ reason: 'unknown-value' })
    expect(merge(file('a'), file('a'), unknown)).toMatchObject({ reason: 'unknown-value' })
  })

  test('[sem.M3] a mode merges separately from the content, even of a binary file', () => {
    const result = merge(file('\0a', 0o644), file('\0a', 0o755), file('\0b', 0o644))
    expect(result).toMatchObject({ value: file('\0b', 0o755), how: 'merge', kept: [] })
  })

  test('[sem.M3] a mode that both sides changed stays mine and is reported', () => {
    const result = merge(file('a', 0o644), file('a', 0o755), file('b', 0o600))
    expect(result).toMatchObject({ value: file('b', 0o755), kept: ['mode'] })
  })
})

describe('lines', () => {
  test('[sem.M3] separate changes are merged', () => {
    expect(mergeLines('a b c d e f', 'a X c d e f', 'a b c d H f')).toBe('a X c d H f')
    expect(mergeLines('a b c d e f', 'a b c d e f Z', 'b c d e f')).toBe('b c d e f Z')
  })

  test('[sem.M3] changes of the same or adjacent lines conflict', () => {
    expect(mergeLines('a b c d', 'a X c d', 'a Y c d')).toBe('overlap')
    expect(mergeLines('a b c d', 'a X c d', 'a b Y d')).toBe('overlap')
    expect(mergeLines('a b c d', 'a b X c d', 'a b Y c d')).toBe('overlap')
  })

  test('[sem.M3] the same change on both sides is one change', () => {
    expect(mergeLines('a b c d e f', 'a X c d e f', 'a X c d H f')).toBe('a X c d H f')
    expect(mergeLines('a b c d e f', 'a X b c d e f', 'a X b c d H f')).toBe('a X b c d H f')
  })

  test('[sem.M4] a line that occurs twice in one of the texts does not separate changes', () => {
    expect(mergeLines('a b } c d', 'a X } c d', 'a b } Y d')).toBe('a X } Y d')
    expect(mergeLines('a b } c d }', 'a X } c d }', 'a b } Y d }')).toBe('too-close')
    expect(mergeLines('a b } c d', 'a X } c d', 'a b } Y d }')).toBe('too-close')
  })

  test('[sem.M4] a change that both made still needs an anchor to the next one', () => {
    expect(mergeLines('a b m c d', 'a X m Y d', 'a X m c d')).toBe('a X m Y d')
    expect(mergeLines('a b } c } d', 'a X } Y } d', 'a X } c } d')).toBe('too-close')
    expect(mergeLines('a b } c } d', 'a X } c } d', 'a X } Y } d')).toBe('too-close')
    expect(mergeLines('a } b } c', 'X } Y } c', 'a } Y } c')).toBe('too-close')
  })

  test('[B10] a conflict reports its lines in all three texts, counted from 1', () => {
    const result = merge(file('a\nb\nc\nd\n'), file('n\na\nX\nX\nc\nd\n'), file('a\nc\nd\nz\n'))
    expect(result).toMatchObject({
      regions: [{ base: [2, 2], ours: [3, 4], theirs: [2, 1] }],
      onlyWhitespace: false,
    })
  })

  test('[sem.M7] a conflict reports that taking theirs loses only white space', () => {
    expect(merge(file('a\nb\n'), file('a\n  b\n'), file('a\nc\n'))).toMatchObject({
      reason: 'overlap',
      onlyWhitespace: true,
    })
    expect(merge(file('a\nb\n'), file('a\nc \n'), file('a\nc\n'))).toMatchObject({
      onlyWhitespace: true,
    })
    expect(merge(file('a\nb\n'), file('a\nb x\n'), file('a\nc\n'))).toMatchObject({
      onlyWhitespace: false,
    })
  })

  test('[sem.M7] an unchanged file does not differ in white space', () => {
    const three = { base: file('a\n'), ours: file('a\n'), theirs: file('b\n') }
    expect(viewConflict(contents, three).onlyWhitespace).toBe(false)
  })
})

describe('properties of the whole file', () => {
  test('[sem.M3] line ends changed by one side stay changed, with the lines of both', () => {
    const result = merge(file('a\nb\nc\nd\n'), file('a\r\nb\r\nc\r\nd\r\n'), file('X\nb\nc\nd\n'))
    expect(textOf(result)).toBe('X\r\nb\r\nc\r\nd\r\n')
  })

  test('[sem.M3] mixed line ends stay with their lines', () => {
    const result = merge(file('a\r\nb\nc\nd\n'), file('a\r\nb\nc\nH\r\n'), file('X\r\nb\nc\nd\n'))
    expect(textOf(result)).toBe('X\r\nb\nc\nH\r\n')
  })

  test('[sem.M3] a byte order mark and a final newline merge separately', () => {
    const result = merge(file('a\nb\nc'), file('a\nb\nc\n'), file('\u00ef\u00bb\u00bfX\nb\nc'))
    expect(textOf(result)).toBe('\u00ef\u00bb\u00bfX\nb\nc\n')
  })

  test('[sem.M3] line ends without a base stay mine and are reported', () => {
    const result = merge(file('a'), file('X\r\na'), file('a\nZ\n'))
    expect(textOf(result)).toBe('X\r\na\r\nZ\r\n')
    expect(result).toMatchObject({ kept: ['line-ends'] })
    const same = merge(file('a'), file('a\r\nb\r\n'), file('a\nb\n'))
    expect(same).toMatchObject({ value: file('a\r\nb\r\n'), kept: ['line-ends'] })
  })

  test('[sem.M3] bytes that are not UTF-8 survive', () => {
    const result = merge(
      file('caf\u00e9\nb\nc\n\u00ff\u00fe\n'),
      file('caf\u00e9\nb\nH\u00e8\n\u00ff\u00fe\n'),
      file('X\u00f1\nb\nc\n\u00ff\u00fe\n'),
    )
    expect(textOf(result)).toBe('X\u00f1\nb\nH\u00e8\n\u00ff\u00fe\n')
  })
})

// The limits below are far above the usual time (tens of milliseconds) and far below that of a
// quadratic merge (seconds to minutes). Only this process's CPU time counts, so a busy machine does
// not fail them.
describe('large files', () => {
  const lines = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n))
  const bytes = (list: string[]) => bytesOf(list.join('\n') + '\n')
  const changed = (list: string[], from: number, mark: string) =>
    list.map((line, n) => (n % 1000 === from ? `${mark} ${n}` : line))

  function timed(three: { base: string[]; ours: string[]; theirs: string[] }) {
    const input = { base: bytes(three.base), ours: bytes(three.ours), theirs: bytes(three.theirs) }
    const before = process.cpuUsage()
    const result = mergeText(input)
    const { user, system } = process.cpuUsage(before)
    return { result, milliseconds: (user + system) / 1000 }
  }

  test('[merge.2] 50,000 lines with 50 edits on each side merge at once', () => {
    const base = lines(50_000, (n) => `line ${n}`)
    const ours = changed(base, 100, 'ours')
    const { result, milliseconds } = timed({ base, ours, theirs: changed(base, 600, 'theirs') })
    expect(result).toEqual({ kind: 'merged', bytes: bytes(changed(ours, 600, 'theirs')), kept: [] })
    expect(milliseconds).toBeLessThan(1500)
  })

  test('[merge.2] 20,000 repeated lines with 2 edits are compared at once', () => {
    const base = lines(20_000, () => '}')
    const { result, milliseconds } = timed({
      base,
      ours: base.with(5000, 'x'),
      theirs: base.with(15_000, 'y'),
    })
    expect(result).toMatchObject({ kind: 'conflict', reason: 'too-close' })
    expect(milliseconds).toBeLessThan(1500)
  })

  test('[merge.2] texts that differ too much count as changed as a whole, in bounded time', () => {
    const kinds = (seed: number) => lines(20_000, (n) => `${(n * seed + (n >> 3) * 31) % 97}`)
    const { result, milliseconds } = timed({ base: kinds(7), ours: kinds(11), theirs: kinds(13) })
    expect(result).toMatchObject({ kind: 'conflict', reason: 'overlap' })
    expect(milliseconds).toBeLessThan(3000)
  })

  test('[merge.2] 20,000 rewritten lines do not hang', () => {
    const { result, milliseconds } = timed({
      base: lines(20_000, (n) => `a${n}`),
      ours: lines(20_000, (n) => `b${n}`),
      theirs: lines(20_000, (n) => `c${n}`),
    })
    expect(result).toMatchObject({ regions: [{ base: { from: 0, to: 20_000 } }] })
    expect(milliseconds).toBeLessThan(1500)
  })
})
