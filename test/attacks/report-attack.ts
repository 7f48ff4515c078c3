import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/** One attack and how often it was repelled; `npm run test:attacks` makes a table of them. */
export interface Attack {
  /** The goals it tests, such as `S2, S4`. */
  readonly goals: string
  readonly attack: string
  readonly tried: number
  readonly held: number
}

/** With its test file, because a run of some files replaces only their results. */
export type ReportedAttack = Attack & { readonly file: string }

/** Writes nothing outside `npm run test:attacks`. */
export function reportAttack(attack: Attack): void {
  const file = process.env['ATTACKS']
  const reported: ReportedAttack = { ...attack, file: expect.getState().testPath ?? '' }
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(reported)}\n`)
}
