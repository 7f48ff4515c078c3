import { expect, test } from 'vitest'
import { colourer } from './colours.ts'

test('a colour continues after a coloured part of the text', () => {
  const paint = colourer(true)
  const [bold, dim, red, green] = [paint(1, 22), paint(2, 22), paint(31, 39), paint(32, 39)]
  expect(red(`a${green('b')}c`)).toBe('\u001B[31ma\u001B[32mb\u001B[31mc\u001B[39m')
  expect(bold(`a${dim('b')}c`)).toBe('\u001B[1ma\u001B[2mb\u001B[22m\u001B[1mc\u001B[22m')
})

test('without colour, text stays as it is', () => {
  expect(colourer(false)(31, 39)('a')).toBe('a')
})
