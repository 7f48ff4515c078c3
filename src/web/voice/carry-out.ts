import { wordRemedy } from '#failure'
import type { Client, PlanBody, ReceiptView, SpokenCommand, VoiceCall } from '#protocol'
import type { Approval, ApprovalAnswer } from '#timeline'
import { branchName } from '../branches/branch-name.ts'
import { failureFrom } from '../connection/connection.ts'
import { doneWords, sentenceOf } from '../plan/plan-words.ts'
import { isSmall } from '../plan/small-plan.ts'
import { onPage } from '../ui/page-words.ts'
import { brief, count } from '../words.ts'

/** The result of a command, in words to read aloud. */
export interface Outcome {
  readonly kind: 'done' | 'asks' | 'failed'
  readonly says: string
}

/**
 * What commands need from the page. They use the Back button, the plan dialog and the composer as a
 * click does; there is no second way to change anything.
 */
export interface Desk {
  readonly session: string
  readonly client: Client
  /** Why the Back button cannot be used now; null if it can. */
  whyNotBack(): string | null
  /** Does what the Back button does, and reports it like the button. */
  goBack(): Promise<ReceiptView>
  /** Shows the plan; the user may also answer by voice. */
  showPlan(body: PlanBody): void
  /** Answers the plan that is shown: yes applies it. Null if none is shown. */
  answerPlan(yes: boolean): Promise<PlanAnswer> | null
  approvals(): readonly Approval[]
  answerApproval(approval: string, answer: ApprovalAnswer): Promise<void>
  sendPrompt(prompt: string): void
  /** Reports a receipt and reloads what it changed. */
  show(receipt: ReceiptView): void
  log(by: 'you' | 'voice' | 'retake', text: string): Promise<void>
  /** The operation of the last command; null once another command follows. */
  last: number | null
}

export type PlanAnswer =
  | { readonly kind: 'done'; readonly receipt: ReceiptView }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not-yet'; readonly why: string }

/** Carries out one command, or says why it cannot. Never throws. */
export async function carryOut(call: VoiceCall, desk: Desk): Promise<Outcome> {
  const { last } = desk
  if (call.tool !== 'status') desk.last = null
  try {
    return await perform(call, desk, last)
  } catch (error) {
    const { message, hint } = failureFrom(error)
    return {
      kind: 'failed',
      says: hint === undefined ? message : `${message} ${wordRemedy(hint, onPage)}`,
    }
  }
}

function perform(call: VoiceCall, desk: Desk, last: number | null): Promise<Outcome> {
  if ('command' in call) return command(call.command, desk, last)
  switch (call.tool) {
    case 'status':
      return statusOutcome(desk)
    case 'converse':
      return converse(desk, call.prompt)
    case 'answer_approval':
      return answer(desk, call)
  }
}

function command(asked: SpokenCommand, desk: Desk, last: number | null): Promise<Outcome> {
  switch (asked.verb) {
    case 'back':
      return goBack(desk)
    case 'switch':
      return switchTo(desk, asked.branch)
    case 'checkpoint':
      return name(desk, asked.name)
    case 'rewind':
      return move(desk, { ...asked, turn: turnOf(asked.turn) })
    case 'undo':
      if (asked.count === undefined && asked.only === undefined && last !== null)
        return undoOperation(desk, last)
      return move(desk, { ...asked, count: asked.count ?? 1 })
    case 'redo':
      return move(desk, asked)
  }
}

async function goBack(desk: Desk): Promise<Outcome> {
  const why = desk.whyNotBack()
  if (why !== null) return { kind: 'failed', says: why }
  const receipt = await desk.goBack()
  desk.last = receipt.operation
  return { kind: 'done', says: `${doneWords(receipt)}.` }
}

/** For everything that may change files: makes a plan, and applies only a small one at once. */
async function move(desk: Desk, body: PlanBody): Promise<Outcome> {
  const { client, session } = desk
  const planned = await client.plan({ session, ...body })
  if (planned.schema === 'retake.receipt/1')
    return { kind: 'done', says: `${doneWords(planned)}${leftWords(planned)}` }
  if (!isSmall(planned)) {
    desk.showPlan(body)
    const warned = planned.warnings.length === 0 ? '' : ` ${planned.warnings.join(' ')}`
    return { kind: 'asks', says: `${sentenceOf(planned)}${warned} Say yes to do it, or no.` }
  }
  return tell(desk, await client.apply({ plan: planned.id, confirmed: true }))
}

/** Users say what they see or remember of a branch's name, in any spelling, and never its id. */
async function switchTo(desk: Desk, said: string): Promise<Outcome> {
  const { branches } = await desk.client.branches({ session: desk.session })
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  const named = branches.map((branch) => ({ branch, name: plain(branchName(branch, 200)) }))
  const same = named.filter(
    ({ branch, name }) => name === plain(said) || plain(branch.label) === plain(said),
  )
  const like = named.filter(({ name }) => plain(said) !== '' && name.includes(plain(said)))
  const found = same.length > 0 ? same : like
  if (found.length > 1) {
    const names = found.map(({ branch }) => `“${branchName(branch)}”`).join(', ')
    return { kind: 'failed', says: `Several branches have that name: ${names}. Which one?` }
  }
  return move(desk, { verb: 'switch', branch: found[0]?.branch.id ?? said })
}

/** Neutral words: if a command's effects were not recorded, there may be nothing to undo. */
function leftWords({ left }: ReceiptView): string {
  if (left.length === 0) return ''
  return left.length === 1
    ? ' 1 thing was left as it is.'
    : ` ${left.length} things were left as they are.`
}

function tell(desk: Desk, receipt: ReceiptView): Outcome {
  desk.show(receipt)
  desk.last = receipt.operation
  const { filesReverted } = receipt
  const files = filesReverted.length === 0 ? 'no file changed' : changed(filesReverted)
  const back = receipt.operation === null ? '' : ' Say undo to undo it.'
  return { kind: 'done', says: `${doneWords(receipt)}, ${files}.${leftWords(receipt)}${back}` }
}

function changed(paths: readonly string[]): string {
  return paths.length === 1 ? `${paths[0]} changed` : `${count(paths.length, 'file')} changed`
}

/** If the user did something else since, "undo" means a turn, as usual. */
async function undoOperation(desk: Desk, operation: number): Promise<Outcome> {
  const { client, session } = desk
  const { operations } = await client.operations({ session, limit: 1 })
  if (operations[0]?.id !== operation) return move(desk, { verb: 'undo', count: 1 })
  const receipt = await client.undoOperation({
    operation: String(operation),
    session,
    confirmed: true,
  })
  desk.show(receipt)
  return { kind: 'done', says: `${doneWords(receipt)}.${leftWords(receipt)}` }
}

async function name(desk: Desk, wanted: string | undefined): Promise<Outcome> {
  const receipt = await desk.client.setCheckpoint({
    session: desk.session,
    ...(wanted === undefined ? {} : { name: wanted }),
  })
  desk.show(receipt)
  return { kind: 'done', says: `${doneWords(receipt)}.` }
}

async function statusOutcome(desk: Desk): Promise<Outcome> {
  const status = await desk.client.session({ session: desk.session })
  const { head, turns, undone, live } = status
  const where = head === null ? 'before the first turn' : `at turn ${head.number}`
  const parts = [`“${brief(status.title)}” is ${where}; it has ${count(turns, 'turn')}.`]
  if (status.branches > 1) {
    const { branches } = await desk.client.branches({ session: desk.session })
    const here = branches.find(({ current }) => current)
    if (here !== undefined) parts.push(`The branch is “${branchName(here)}”.`)
  }
  if (undone > 0) parts.push(`${count(undone, 'turn')} ${undone === 1 ? 'is' : 'are'} undone.`)
  const [asked] = desk.approvals()
  if (asked !== undefined) parts.push(questionOf(asked))
  else if (live === 'busy') parts.push('The agent is working.')
  return { kind: 'done', says: parts.join(' ') }
}

export function questionOf({ tool, about, title }: Approval): string {
  return `The agent asks: ${title ?? `may it use ${tool}?`}${about === '' ? '' : ` ${brief(about, 120)}`}`
}

function converse(desk: Desk, prompt: string): Promise<Outcome> {
  desk.sendPrompt(prompt)
  return Promise.resolve({ kind: 'done', says: `Sent to the agent: “${brief(prompt)}”.` })
}

async function answer(
  desk: Desk,
  { allow, always, reason }: Extract<VoiceCall, { tool: 'answer_approval' }>,
): Promise<Outcome> {
  const plan = desk.answerPlan(allow)
  if (plan !== null) {
    const answered = await plan
    if (answered.kind === 'not-yet') return { kind: 'failed', says: answered.why }
    if (answered.kind === 'cancelled') return { kind: 'done', says: 'Nothing was changed.' }
    const { receipt } = answered
    desk.last = receipt.operation
    const says = `${doneWords(receipt)}.${leftWords(receipt)} Say undo to undo it.`
    return { kind: 'done', says }
  }
  const [asked] = desk.approvals()
  if (asked === undefined) return { kind: 'failed', says: 'Nothing waits for an answer.' }
  await desk.answerApproval(
    asked.id,
    allow
      ? { allow, always: always === true && asked.canAlways }
      : { allow, ...(reason === undefined ? {} : { reason }) },
  )
  return { kind: 'done', says: allow ? `${asked.tool} is allowed.` : `${asked.tool} is refused.` }
}

/** A model may give the number as text. */
function turnOf(turn: number | string): number | string {
  return typeof turn === 'string' && /^\d{1,6}$/.test(turn.trim()) ? Number(turn) : turn
}
