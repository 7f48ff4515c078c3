/**
 * Tests that need a program that this repository cannot install declare it:
 *
 * ```ts
 * needs('zsh')('zsh completes verbs', async () => { … })
 * ```
 *
 * On a machine without it the test is skipped, and the run ends with a line that counts the skipped
 * tests (`test/house/suite-reporter.ts`). `npm run test:needs` lists all needs.
 */
import { test } from 'vitest'
import { has } from './house/has-need.ts'
import { type Need, noteOf } from './house/needs-table.ts'

/** `test` if everything is available; else a `test` that skips and says why. */
export function needs(...all: Need[]): (name: string, body: () => Promise<void> | void) => void {
  const missing = all.filter((need) => !has(need))
  if (missing.length === 0) return (name, body) => test(name, body)
  return (name) => test(name, ({ skip }) => skip(noteOf(missing)))
}
