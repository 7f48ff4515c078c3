import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/** What was tried and how often it held; `npm run test:attacks` makes a table of it. */
export interface Attack {
  /** The goals that it is about, such as `S2, S4`. */
  readonly goals: string
  readonly attack: string
  readonly tried: number
  readonly held: number
}

/** With the file that tells it: a run of some files replaces what these told before. */
export type Told = Attack & { readonly file: string }

/** Outside of that command nothing is written down. */
export function tellAttack(attack: Attack): void {
  const file = process.env['ATTACKS']
  const told: Told = { ...attack, file: expect.getState().testPath ?? '' }
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(told)}\n`)
}
