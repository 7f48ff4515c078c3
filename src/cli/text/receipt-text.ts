import { groupKept, type Continues, type ReceiptReport } from '#timeline'
import type { AgentWords } from '#engine'
import { remedy, command, type Remedy } from '#failure'
import { forSession, pastTense, staysAfter } from '#protocol'
import { keptInReceipt, leftInReceipt } from './left-text.ts'
import { count, shorten, type Paint } from './paint.ts'
import { pendingHelp, reopenText } from './pending-text.ts'

/** Draws a receipt, starting with a sentence: "Undid 2 turns: 3 files restored, 1 removed." */
export function receiptText(
  receipt: ReceiptReport,
  paint: Paint,
  { words, session = null }: { words: AgentWords; session?: string | null },
): string {
  if (receipt.nothing !== null)
    return [
      [receipt.nothing, ...(receipt.remedy === undefined ? [] : [paint.say(receipt.remedy)])].join(
        ' ',
      ),
      ...leftInReceipt(receipt, paint),
    ].join('\n')
  if (marksOnly(receipt)) {
    const said = [`${pastTense(receipt)}.`, staysAfter(receipt)].filter((each) => each !== '')
    return [said.join(' '), paint.quiet(paint.say(hintAfter(receipt, words)))].join('\n')
  }
  const lines = [
    receipt.verb === 'restore' ? restored(receipt) : `${did(receipt)}${files(receipt)}`,
  ]
  if (session !== null) lines.push(paint.quiet(`In session ${session}.`))
  for (const { path, line } of receipt.marked ?? [])
    lines.push(paint.warning(`${path} has conflict markers (line ${line}).`))
  for (const kept of keptInReceipt(receipt)) lines.push(paint.warning(kept))
  for (const warning of receipt.warnings ?? []) lines.push(paint.warning(`Note: ${warning}`))
  if (receipt.firstStays && receipt.continues === undefined)
    lines.push('The conversation keeps its first turn.')
  if (receipt.continues !== undefined) lines.push(elsewhere(receipt.continues))
  else if (receipt.conversation === 'unchanged' && receipt.turnsUndone > 0 && !receipt.firstStays)
    lines.push('The conversation stays as it was.')
  if (receipt.reopen !== undefined) lines.push(reopenText(receipt.reopen, receipt.to, words))
  if (receipt.conversation === 'pending' && (receipt.reopen?.state ?? 'stays') === 'stays')
    lines.push(...pendingHelp(receipt.to, receipt.session, words))
  lines.push(...leftInReceipt(receipt, paint))
  if (receipt.prompt !== null && takesPrompts(receipt) && receipt.verb !== 'op-undo')
    lines.push(
      paint.quiet(`The undone prompt: ${shorten(receipt.prompt, paint.width - 20, paint)}`),
    )
  lines.push(paint.quiet(paint.say(hintAfter(receipt, words))))
  return lines.join('\n')
}

function elsewhere({ because, title, session }: Continues): string {
  return `${because}: the conversation continues in a new session, “${title}”, ${session}. This session stays as it is.`
}

function idOf({ branches }: ReceiptReport): string {
  return branches.map(({ id }) => id).join(', ')
}

function did(receipt: ReceiptReport): string {
  return receipt.verb === 'branch' ? `${pastTense(receipt)}, ${idOf(receipt)}` : pastTense(receipt)
}

/** Verbs that move neither files nor the conversation. */
function marksOnly({ verb }: ReceiptReport): boolean {
  return /^(?:session|checkpoint|branch-)/.test(verb)
}

/** "Restored 2 files, removed 1." */
function restored(receipt: ReceiptReport): string {
  const { filesRemoved, marked = [] } = receipt
  const whole = withoutMarked(receipt)
  const parts = []
  if (whole.length > 0) parts.push(`restored ${count(whole.length, 'file')}`)
  if (filesRemoved.length > 0)
    parts.push(
      `removed ${whole.length > 0 ? filesRemoved.length : count(filesRemoved.length, 'file')}`,
    )
  if (marked.length > 0) parts.push(`conflict markers in ${count(marked.length, 'file')}`)
  const text = [...parts, ...keptEdits(receipt)].join(', ') || 'no file was changed'
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

/** Whether prompts left the conversation. The first prompt stays even if its files are undone. */
export function takesPrompts({ turnsUndone, firstStays }: ReceiptReport): boolean {
  return turnsUndone > (firstStays ? 1 : 0)
}

function files(receipt: ReceiptReport): string {
  const { filesRemoved, verb, left, turnsRedone, marked = [] } = receipt
  const filesReverted = withoutMarked(receipt)
  const parts = []
  const isForward = verb === 'redo' || verb === 'switch' || (verb === 'rewind' && turnsRedone > 0)
  const written = isForward ? 'changed' : 'restored'
  if (filesReverted.length > 0) parts.push(`${count(filesReverted.length, 'file')} ${written}`)
  if (filesRemoved.length > 0)
    parts.push(
      `${filesReverted.length > 0 ? filesRemoved.length : count(filesRemoved.length, 'file')} removed`,
    )
  if (marked.length > 0) parts.push(`conflict markers in ${count(marked.length, 'file')}`)
  parts.push(...keptEdits(receipt))
  if (parts.length > 0) return `: ${parts.join(', ')}.`
  return left.length > 0 ? '. No file was changed.' : '. No file changed.'
}

function withoutMarked({ filesReverted, marked = [] }: ReceiptReport): readonly string[] {
  return filesReverted.filter((path) => marked.every((each) => each.path !== path))
}

function keptEdits(receipt: ReceiptReport): string[] {
  return [...groupKept(receipt, receipt.session)].map(
    ([who, paths]) =>
      `${who === null ? 'your edits' : `the edits of ${who}`} in ${count(paths.length, 'file')} kept`,
  )
}

function hintAfter(receipt: ReceiptReport, words: AgentWords): Remedy {
  const { turnsUndone, operation, conversation, verb, continues } = receipt
  const undo = command('op undo', [String(operation)])
  if (verb === 'branch' || continues !== undefined)
    return remedy`Run \`${forSession(words.resume, continues?.session ?? idOf(receipt))}\` to continue there. ${undo} to undo this.`
  // Redo does not bring back turns that a switch or an undone operation left.
  const isAhead = verb !== 'switch' && verb !== 'op-undo'
  if (isAhead && takesPrompts(receipt) && conversation !== 'unchanged')
    return turnsUndone === 1
      ? remedy`${command('redo')} to redo it.`
      : remedy`${command('redo', [String(turnsUndone)])} to redo them.`
  return remedy`${undo} to undo this.`
}
