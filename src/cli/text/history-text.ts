import type { CheckView } from '#protocol'
import {
  wordsForLeft,
  type HeldContent,
  type OperationReport,
  type Value,
  shortId,
} from '#timeline'
import { ageOf, timeOf } from './age.ts'
import { keptInReceipt } from './left-text.ts'
import { count, pad, type Paint } from './paint.ts'

const STATES = {
  done: '',
  undone: 'undone',
  'rolled-back': 'failed, everything was rolled back',
  unfinished: 'unfinished',
} as const

/** One line per operation, newest first. */
export function operationsText(
  operations: readonly OperationReport[],
  paint: Paint,
  now: number,
): string {
  if (operations.length === 0) return paint.quiet('No operations in this project yet.')
  return operations.map((operation) => operationLine(operation, paint, now)).join('\n')
}

function operationLine(operation: OperationReport, paint: Paint, now: number): string {
  const { id, verb, at, state, turns, files } = operation
  const parts = [
    verb === 'op-undo' ? `undo of operation ${operation.inverts}` : verb,
    operation.receipt.branches.map(({ label }) => label).join(', '),
    operation.receipt.name ?? '',
    turns > 0 ? count(turns, 'turn') : '',
    files.length > 0 ? count(files.length, 'file') : '',
    operation.receipt.conversation === 'moved' ? 'conversation' : '',
  ].filter((part) => part !== '')
  const line = `${pad(String(id), 5)} ${pad(ageOf(at, now), 8)} ${parts.join(` ${paint.signs.dot} `)}`
  const note = operation.prunedAt === null ? STATES[state] : 'can no longer be undone'
  return note === '' ? line : paint.quiet(`${line}  (${note})`)
}

export function operationText(operation: OperationReport, paint: Paint, now: number): string {
  const { receipt, because } = operation
  const place = (turn: OperationReport['receipt']['from']): string =>
    turn === null ? 'the start' : `turn ${turn.number ?? shortId(turn.id)}`
  const lines = [
    `${paint.strong(`Operation ${operation.id}`)}  ${operationLine(operation, paint, now).slice(6)}`,
    `  ${timeOf(operation.at, now)}, session ${shortId(operation.session)}, from ${place(receipt.from)} to ${place(receipt.to)}`,
  ]
  if (because !== null) lines.push(`  ${paint.warning(because)}`)
  for (const { path, pre, post, outcome, choice } of operation.files) {
    const notes = [
      outcome === 'conflict' ? 'it changed in the meantime; that change was kept' : '',
      choice ?? '',
    ].filter((note) => note !== '')
    lines.push(
      `  ${pad(path, 30)} ${valueName(pre)} ${paint.signs.to} ${valueName(post)}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`,
    )
  }
  for (const kept of keptInReceipt(receipt)) lines.push(`  ${kept}`)
  for (const { path, line } of receipt.marked ?? [])
    lines.push(`  ${path} has conflict markers (line ${line})`)
  for (const warning of receipt.warnings ?? []) lines.push(`  note: ${warning}`)
  for (const each of receipt.left) lines.push(`  left as it was: ${wordsForLeft(each)}`)
  return lines.join('\n')
}

function valueName(value: Value): string {
  if (value.kind === 'file') return value.content.slice(0, 8)
  return value.kind === 'symlink' ? `link to ${value.target}` : value.kind
}

/** Every stored version of a file, and how to write one out. */
export function whereText(
  path: string,
  held: readonly HeldContent[],
  paint: Paint,
  now: number,
): string {
  if (held.length === 0) return `Retake has no version of ${path}.`
  const lines = held.map(
    ({ id, size, stood, at, isNow, aside }) =>
      `${paint.accent(shortId(id))}  ${pad(`${size} bytes`, 14)} ${pad(ageOf(at, now), 8)} ${stood.join(', ')}${isNow ? paint.strong('  (current)') : ''}${aside === null ? '' : paint.warning('  (set aside by gc)')}`,
  )
  lines.push(paint.quiet(`\`retake where ${path} --content ID > FILE\` writes one out.`))
  return lines.join('\n')
}

export function checkText(report: Omit<CheckView, 'schema'>, paint: Paint): string {
  const { database, records, contents, transcripts, vault, checked, directory } = report
  const problems = [
    ...database,
    ...records.map(({ about }) => `${about}: the record is damaged`),
    ...contents.flatMap((content) => contentLines(content)),
    ...transcripts.map(
      ({ session, path, start, size }) =>
        `the copy of ${path} (session ${shortId(session)}) is damaged from byte ${start} to ${start + size}`,
    ),
    ...vault.map((problem) => `the copies of transcripts: ${problem}`),
  ]
  if (problems.length === 0) return `The store is intact: ${count(checked, 'content')} checked.`
  return [
    paint.warning(`The store ${directory} is damaged:`),
    ...problems.map((problem) => `  ${problem}`),
    'Everything else can still be restored. Make a copy of the directory first.',
  ].join('\n')
}

function contentLines({
  id,
  problem,
  paths,
  turns,
  operations,
}: CheckView['contents'][number]): string[] {
  const needed = [
    turns.length > 0
      ? `undo and redo of turn ${turns.map((turn) => shortId(turn)).join(', ')}`
      : '',
    operations.length > 0 ? `undo of operation ${operations.join(', ')}` : '',
  ].filter((text) => text !== '')
  const of = paths.length === 0 ? '' : ` of ${paths.join(', ')}`
  return [
    `content ${shortId(id)}${of} is ${problem}`,
    `  ${needed.length === 0 ? 'no turn or operation needs it' : `no longer possible: ${needed.join('; ')}`}`,
  ]
}
