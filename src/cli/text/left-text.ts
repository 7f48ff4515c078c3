import { includable, wordsForLeft, type LeftReport, type ReceiptReport } from '#timeline'
import { count, type Paint } from './paint.ts'

/** What a plan leaves as it is: first what the user can include, then what nobody can. */
export function leftInPlan(left: readonly LeftReport[], paint: Paint): string[] {
  const unsure = includable(left)
  const rest = left.filter(({ include }) => include === undefined)
  const lines: string[] = []
  if (unsure.length > 0)
    lines.push(
      paint.warning(
        `  Left as ${unsure.length === 1 ? 'it is' : 'they are'}, unsure whose change:`,
      ),
      ...unsure.map((each) => `    ${wordsForLeft(each)}`),
      `  \`--include-unsure\` takes ${themOrIt(unsure)} too.`,
    )
  if (rest.length > 0)
    lines.push(paint.warning('  Not covered:'), ...rest.map((each) => `    ${wordsForLeft(each)}`))
  return lines
}

/** What an operation left as it was, and what to type to have it after all. */
export function leftInReceipt(receipt: ReceiptReport, paint: Paint): string[] {
  const { left } = receipt
  const unsure = includable(left)
  return [
    ...unsure.map((each) => paint.warning(`Left as it is: ${wordsForLeft(each)}`)),
    ...(unsure.length === 0 ? [] : [howToInclude(receipt, unsure)]),
    ...left
      .filter(({ include }) => include === undefined)
      .map((each) => paint.warning(`Not covered: ${wordsForLeft(each)}`)),
  ]
}

/** The question before an operation that leaves changes in doubt. */
export function questionFor(left: readonly LeftReport[]): string {
  const unsure = includable(left)
  if (unsure.length === 0) return 'Go on?'
  return `Go on and leave ${count(unsure.length, 'unsure change')}?`
}

/** Verbs that take the rest when they are asked again, this time to include it. */
const AGAIN = new Set(['undo', 'rewind', 'revert'])

function howToInclude({ verb }: ReceiptReport, unsure: readonly LeftReport[]): string {
  const what = themOrIt(unsure)
  if (!AGAIN.has(verb)) return `\`--include-unsure\` takes ${what} too.`
  if (verb === 'revert') return `\`retake revert TURN --include-unsure\` takes ${what} out too.`
  return `\`retake undo --include-unsure\` takes ${what} back too.`
}

function themOrIt(all: readonly LeftReport[]): string {
  return all.length === 1 ? 'it' : 'them'
}
