import { Failure } from '#failure'

/** A whole number from 1; anything else is a usage error, never "all" or "nothing". */
export function readCount(text: string | undefined): number {
  if (text === undefined) return 1
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (count < 1) throw new Failure('usage', `${text} is not a number of turns.`)
  return count
}
