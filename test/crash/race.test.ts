import { describe, test } from 'vitest'
import { needs } from '../needs.ts'
import { flipDirectory, raceEditor } from './races.ts'

describe('[R6] [FT7] a program that saves while its file is restored', () => {
  test.each([
    ['in-place', 200],
    ['atomic', 200],
    ['append', 100],
  ])('loses none of its %s saves', async (style, saves) => {
    await raceEditor(style, saves, 1)
  })
})

describe('[R11] [FT19] a directory that is swapped for a link', () => {
  // On macOS a directory is found by its path, which leaves a gap (docs/platforms.md).
  needs('linux')('never leads a write outside the project', async () => {
    await flipDirectory(20_000)
  })
})
