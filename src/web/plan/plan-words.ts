import { wordRemedy } from '#failure'
import {
  pastTense,
  wordsForConflict,
  type PlanBody,
  type PlanView,
  type ReceiptView,
} from '#protocol'
import { wordsForChangedBy } from '#timeline'
import { onPage } from '../ui/page-words.ts'
import { brief, count } from '../words.ts'

export type FileView = PlanView['files'][number]
export type Choice = NonNullable<FileView['choices']>[number]

export const VERBS: Record<FileView['verb'], string> = {
  restore: 'change',
  create: 'bring back',
  delete: 'remove',
  merge: 'merge',
  conflict: 'conflict',
  skip: 'leave',
}

/** The terminal has the same keys. */
export const CHOICES: Record<Choice, { label: string; says: string; shortcut: string }> = {
  'keep-mine': { label: 'Keep mine', says: '; the file stays as it is now', shortcut: '1' },
  'put-back': { label: 'Restore the old version', says: '; yours is saved', shortcut: '2' },
  mark: { label: 'Keep both', says: ', with conflict markers', shortcut: '3' },
}

/** Redo and switch write a version that is not older than the current one. */
export function choiceLabel(choice: Choice, verb: string): string {
  if (choice === 'put-back' && (verb === 'redo' || verb === 'switch'))
    return 'Take the agent’s version'
  return CHOICES[choice].label
}

type Span = readonly [number, number]

export function bothChanged(yours: Span, theirs: Span, who: string | null = null): string {
  const named = wordsForConflict(yours, theirs)
  return who === null
    ? `You and the agent both changed ${named}.`
    : `${who[0]!.toUpperCase()}${who.slice(1)} changed ${named} too.`
}

/** The turn outside the plan that changed a file; null if it was, presumably, the user. */
export function whoChanged({ changedBy }: FileView, session: string): string | null {
  return changedBy === undefined ? null : wordsForChangedBy(changedBy, session)
}

/** The title of the dialog: what the user is about to do. */
export function titleOf(body: PlanBody, plan: PlanView | null): string {
  const target = plan?.target === undefined ? '' : `“${brief(plan.target.prompt, 44)}”`
  const number = plan?.to?.number
  switch (body.verb) {
    case 'undo':
      return plan === null ? 'Undo' : `Undo ${count(plan.turns, 'turn')}`
    case 'back':
      return 'Back one turn'
    case 'redo':
      return plan === null ? 'Redo' : `Redo ${count(plan.turns, 'turn')}`
    case 'rewind':
      if (body.before === true) return target === '' ? 'Undo' : `Undo to before ${target}`
      if (number == null) return 'Undo everything'
      return isForward(plan) ? `Redo up to turn ${number}` : `Undo everything after turn ${number}`
    case 'revert':
      return body.off === true
        ? `Bring the file changes of ${target || 'this turn'} back`
        : `Revert the file changes of ${target || 'this turn'}`
    case 'revert-files':
      return body.parts === undefined
        ? `Undo the agent’s changes in ${body.files.length === 1 ? body.files[0] : count(body.files.length, 'file')}`
        : `Undo ${count(body.parts.length, 'change')} in ${body.files[0]}`
    case 'restore':
      return body.parts === undefined
        ? `Restore ${count(body.files.length, 'file')}`
        : `Restore ${count(body.parts.length, 'part')} of ${body.files[0]}`
    case 'branch':
      return `Branch from turn ${number ?? ''} as a new session`
    case 'op-undo':
      return `Undo operation ${body.operation}`
    case 'switch':
      return `Switch to ${plan?.branches?.[0]?.label ?? 'another branch'}`
  }
}

function isForward(plan: PlanView | null): boolean {
  return (plan?.from?.number ?? 0) < (plan?.to?.number ?? 0)
}

/** The label of the button. */
export function actionOf(body: PlanBody, plan: PlanView | null): string {
  if (body.verb === 'revert' && body.off === true) return 'Bring back'
  if (body.verb === 'rewind' && isForward(plan)) return 'Redo'
  const words = {
    undo: 'Undo',
    back: 'Go back',
    redo: 'Redo',
    rewind: 'Undo',
    revert: 'Revert',
    'revert-files': 'Undo',
    restore: 'Restore',
    switch: 'Switch',
    branch: 'Branch',
    'op-undo': 'Undo',
  }
  return words[body.verb]
}

/** What will happen, in one sentence. */
export function sentenceOf(plan: PlanView, body?: PlanBody): string {
  if (body?.verb === 'restore' && body.parts !== undefined && plan.files[0]?.verb === 'restore')
    return `This restores ${count(body.parts.length, 'part')} of the file; the rest of it stays.`
  if (
    body?.verb === 'revert-files' &&
    body.parts !== undefined &&
    plan.files[0]?.verb === 'restore'
  )
    return `This undoes ${count(body.parts.length, 'change')} in the file; the rest of it stays.`
  const changed = plan.files.filter(({ verb }) => verb !== 'skip')
  const parts: string[] = []
  const tally = (verb: FileView['verb'], say: (n: number) => string): void => {
    const n = changed.filter((file) => file.verb === verb).length
    if (n > 0) parts.push(say(n))
  }
  tally('restore', (n) => `changes ${count(n, 'file')}`)
  tally('create', (n) => `brings back ${count(n, 'file')}`)
  tally('delete', (n) => `removes ${count(n, 'file')}`)
  tally('merge', (n) => `merges ${count(n, 'file')}, keeping your own edits`)
  tally('conflict', (n) => `needs your decision about ${count(n, 'file')}`)
  for (const [verb, says] of [
    ['create', 'brings back'],
    ['delete', 'removes'],
  ] as const) {
    const n = (plan.directories ?? []).filter((each) => each.verb === verb).length
    if (n > 0) parts.push(`${says} ${n === 1 ? '1 directory' : `${n} directories`}`)
  }
  if (parts.length === 0) parts.push('changes no files')
  const said = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0]!
  return `This ${said}${chatWords(plan)}.`
}

function chatWords({ conversation, reopens, to, verb, continues }: PlanView): string {
  if (continues !== undefined)
    return `; the conversation continues in a new session, and this one stays. ${continues.because}`
  if (verb === 'branch') return '; the new session starts there, and this one stays'
  if (conversation === 'none')
    return verb.startsWith('revert') || verb === 'restore' ? '' : '; the conversation stays'
  const where = to?.number == null ? 'before the first turn' : `after turn ${to.number}`
  if (conversation === 'pending' && reopens !== true)
    return `; the conversation continues ${where} once the agent’s terminal is closed`
  return `; the conversation continues ${where}${reopens === true ? ', where the agent reopens' : ''}`
}

function nothingWords(nothing: string, remedy: ReceiptView['remedy']): string {
  return remedy === undefined ? nothing : `${nothing} ${wordRemedy(remedy, onPage)}`
}

/** What was done, as the title of a toast. */
export function doneWords(receipt: ReceiptView): string {
  if (receipt.nothing !== undefined) return nothingWords(receipt.nothing, receipt.remedy)
  return pastTense(receipt)
}
