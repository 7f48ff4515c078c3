import { add, remedy, command, type Remedy } from '#failure'
import {
  groupKept,
  includable,
  sayLeft,
  wordsForLeft,
  type LeftReport,
  type ReceiptReport,
} from '#timeline'
import { count, type Paint } from './paint.ts'

/** What a plan leaves alone: first what the user can include, then the rest. */
export function leftInPlan(left: readonly LeftReport[], paint: Paint): string[] {
  const unsure = includable(left)
  const rest = left.filter(({ include }) => include === undefined)
  const lines: string[] = []
  if (unsure.length > 0)
    lines.push(
      paint.warning(
        `  Left as ${unsure.length === 1 ? 'it is' : 'they are'}, not sure who changed ${unsure.length === 1 ? 'it' : 'them'}:`,
      ),
      ...unsure.map((each) => `    ${wordsForLeft(each)}`),
      `  ${paint.say(remedy`${add('includeUnsure')} to include ${themOrIt(unsure)}.`)}`,
    )
  if (rest.length > 0)
    lines.push(
      paint.warning('  Not covered:'),
      ...rest.map((each) => `    ${paint.say(sayLeft(each))}`),
    )
  return lines
}

/** What an operation left alone, and how to include it. */
export function leftInReceipt(receipt: ReceiptReport, paint: Paint): string[] {
  const { left } = receipt
  const unsure = includable(left)
  return [
    ...unsure.map((each) => paint.warning(`Left as it is: ${wordsForLeft(each)}`)),
    ...(unsure.length === 0 ? [] : [paint.say(howToInclude(receipt, unsure))]),
    ...left
      .filter(({ include }) => include === undefined)
      .map((each) => paint.warning(`Not covered: ${paint.say(sayLeft(each))}`)),
  ]
}

/** The files that a choice left out of the operation. Merged files have a warning of their own. */
export function keptInReceipt(
  receipt: Pick<
    ReceiptReport,
    'session' | 'filesKept' | 'filesReverted' | 'filesRemoved' | 'keptBy'
  >,
): string[] {
  const written = new Set([...receipt.filesReverted, ...receipt.filesRemoved])
  const filesKept = receipt.filesKept.filter((path) => !written.has(path))
  return groupKept({ ...receipt, filesKept }, receipt.session).flatMap(([who, paths]) =>
    paths.map((path) => `Left as ${who === null ? 'you have' : `${who} has`} it: ${path}`),
  )
}

/** The confirmation question; it counts the unsure changes. */
export function questionFor(left: readonly LeftReport[]): string {
  const unsure = includable(left)
  if (unsure.length === 0) return 'Continue?'
  return `Continue and leave ${count(unsure.length, 'unsure change')}?`
}

function howToInclude({ verb }: ReceiptReport, unsure: readonly LeftReport[]): Remedy {
  const what = themOrIt(unsure)
  // A receipt of a revert does not name its turn.
  if (verb === 'revert') return remedy`${add('includeUnsure')} to revert ${what} too.`
  if (verb !== 'undo' && verb !== 'rewind')
    return remedy`${add('includeUnsure')} to include ${what}.`
  return remedy`${command('undo', [], { includeUnsure: true })} to undo ${what} too.`
}

function themOrIt(all: readonly LeftReport[]): string {
  return all.length === 1 ? 'it' : 'them'
}
