import type { ReceiptReport } from '#timeline'
import { count, shorten, type Paint } from './paint.ts'

/** What was done, in a sentence: "Undone 2 turns: 3 files put back, 1 removed." */
export function receiptText(receipt: ReceiptReport, paint: Paint): string {
  if (receipt.nothing !== null) return receipt.nothing
  const lines = [`${did(receipt)}${files(receipt)}`]
  if (receipt.firstStays) lines.push('The conversation keeps its first turn.')
  else if (receipt.conversation === 'unchanged' && receipt.turnsUndone > 0)
    lines.push('The conversation stays as it was.')
  for (const gap of receipt.notCovered) lines.push(paint.warning(`Not covered: ${gap}`))
  if (receipt.prompt !== null && receipt.turnsUndone > 0)
    lines.push(
      paint.quiet(`The undone prompt: ${shorten(receipt.prompt, paint.width - 20, paint)}`),
    )
  lines.push(paint.quiet(hintAfter(receipt)))
  return lines.join('\n')
}

function did(receipt: ReceiptReport): string {
  if (receipt.turnsUndone > 0) return `Undone ${count(receipt.turnsUndone, 'turn')}`
  if (receipt.firstStays) return 'The first turn is taken back'
  if (receipt.turnsRedone > 0) return `Redone ${count(receipt.turnsRedone, 'turn')}`
  if (receipt.verb === 'op-undo') return 'The operation is undone'
  if (receipt.verb === 'revert') return 'The turn’s changes are out'
  if (receipt.verb === 'revert-off') return 'The turn’s changes are back'
  return 'Done'
}

function files({ filesReverted, filesRemoved, filesKept, verb }: ReceiptReport): string {
  const parts = []
  const put = verb === 'redo' ? 'brought back' : 'put back'
  if (filesReverted.length > 0) parts.push(`${count(filesReverted.length, 'file')} ${put}`)
  if (filesRemoved.length > 0)
    parts.push(
      `${filesReverted.length > 0 ? filesRemoved.length : count(filesRemoved.length, 'file')} removed`,
    )
  if (filesKept.length > 0) parts.push(`your edits in ${count(filesKept.length, 'file')} kept`)
  return parts.length === 0 ? '. No file had to change.' : `: ${parts.join(', ')}.`
}

function hintAfter({ turnsUndone, operation, conversation }: ReceiptReport): string {
  if (turnsUndone > 0 && conversation === 'moved') return '`retake redo` brings it back.'
  return `\`retake op undo ${operation}\` takes this back.`
}
