import { expect, test } from 'vitest'
import { graphemesOf, textWidth } from './text-width.ts'

test('wide characters count as two columns, combining marks and colours as none', () => {
  const widths = { 'abc …': 5, 世界: 4, 'e\u0301': 1, '👩‍👩‍👧': 2, '🇦🇹': 2, ｱ: 1, '\u200B': 0, '한글': 4, '☺️': 2, 'я ж': 3 }
  expect(Object.fromEntries(Object.keys(widths).map((text) => [text, textWidth(text)]))).toEqual(widths)
  expect(textWidth('\u001B[1m\u001B[36m世\u001B[39m\u001B[22m')).toBe(2)
  expect(graphemesOf('a👩‍👩‍👧e\u0301')).toEqual(['a', '👩‍👩‍👧', 'e\u0301'])
}) // prettier-ignore
