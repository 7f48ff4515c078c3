import { expect, test } from 'vitest'
import { makePaint, shortenPath } from '../../text/paint.ts'
import { textWidth } from '../../text/text-width.ts'
import { wrap } from './fit.ts'

const paint = makePaint({ colour: true, unicode: true, width: 80 })
const bare = (text: string): string => text.replaceAll(/\u001B\[\d+m/g, '')

test('[U7] lines wrap at spaces, wide characters count twice, and nothing is lost', () => {
  expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrap('東京都 大阪府', 6)).toEqual(['東京都', '大阪府'])
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
  expect(wrap('  東京 a', 5)).toEqual(['  東', '京 a'])
})

test('[U7] a coloured line wraps like a plain one, and its colours end with each line', () => {
  const text = `a ${paint.warning('warning that is long')} and ${paint.strong(paint.added('x y'))} z`
  const lines = wrap(text, 8)
  expect(lines.map(bare)).toEqual(wrap(bare(text), 8))
  for (const line of lines) {
    const codes = [...line.matchAll(/\u001B\[(\d+)m/g)].map(([, code]) => Number(code))
    const opens = codes.filter((code) => code !== 0 && code !== 22 && code !== 39)
    if (opens.length > 0) expect([0, 22, 39]).toContain(codes.at(-1))
  }
  expect(lines[2]).toBe('\u001B[33mthat is\u001B[0m')
})

test('[U7] a path that is too long is shortened in the middle and keeps its file name', () => {
  const path = 'packages/very/long/way/down/to/the/file-with-a-name.ts'
  expect(shortenPath(path, 80, paint)).toBe(path)
  expect(shortenPath(path, 32, paint)).toBe('packages/ve…/file-with-a-name.ts')
  expect(shortenPath('src/ファイル/とても長い名前のファイル.ts', 20, paint)).toBe(
    '…い名前のファイル.ts',
  )
  for (let columns = 4; columns < 60; columns++) {
    expect(textWidth(shortenPath(path, columns, paint))).toBeLessThanOrEqual(columns)
    expect(textWidth(shortenPath('a/'.repeat(40) + '東京', columns, paint))).toBeLessThanOrEqual(
      columns,
    )
  }
})
