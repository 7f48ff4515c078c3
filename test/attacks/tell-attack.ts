import { appendFileSync } from 'node:fs'

/** What was tried and how often it held; `npm run test:attacks` makes a table of it. */
export interface Attack {
  /** The goals that it is about, such as `S2, S4`. */
  readonly goals: string
  readonly attack: string
  readonly tried: number
  readonly held: number
}

/** Outside of that command nothing is written down. */
export function tellAttack(attack: Attack): void {
  const file = process.env['ATTACKS']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(attack)}\n`)
}
