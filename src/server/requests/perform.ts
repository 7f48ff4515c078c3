import {
  nothingReceipt,
  openForChange,
  type Planned,
  type PlannedOperation,
  type Running,
  type SessionChange,
} from '#engine'
import { receiptView, type Command, type ReceiptView } from '#protocol'
import type { ReceiptReport } from '#timeline'
import type { Served } from './served.ts'

/**
 * Plans and applies in one step. The caller has seen no plan, so a plan that needs a choice is
 * refused.
 */
export async function planAndApply(
  served: Served,
  change: SessionChange,
  command: Command,
): Promise<ReceiptView> {
  const planned = await plan(served, change, command)
  if (planned.kind === 'nothing-to-do') return receiptView(nothingReceipt(change.session, planned))
  return receiptView(await apply(served, change, planned))
}

/** Logs the requested turn and the turn that it resolved to: they differ for tool results. */
export function plan({ log }: Served, change: SessionChange, command: Command): Promise<Planned> {
  const session = change.session.report.id
  return change.plan(command, {
    onTurn: (askedFor, resolvedTo) => log.write({ session, askedFor, resolvedTo }),
  })
}

export function apply(
  served: Served,
  change: SessionChange,
  planned: PlannedOperation,
): Promise<ReceiptReport> {
  return served.underWay.carryOut(planned, (running) =>
    applyWhile(served, change, planned, running),
  )
}

/** Applies a plan within an operation that is already under way. */
export async function applyWhile(
  { watch, log }: Served,
  change: SessionChange,
  planned: PlannedOperation,
  running: Running,
): Promise<ReceiptReport> {
  const receipt = await change.apply(planned, running)
  const { operation, verb, session, from, to } = receipt
  log.write({ did: verb, operation, session, from: from?.id ?? null, to: to?.id ?? null })
  // Notify the other windows before this one reads its response.
  watch.poll()
  return receipt
}

/** Opens a session to change it. Reads what is new in a large one on a worker thread first. */
export async function withSession<T>(
  { machine, ahead }: Served,
  id: string,
  use: (change: SessionChange) => T | Promise<T>,
  { stop = false }: { readonly stop?: boolean } = {},
): Promise<T> {
  await ahead.prepare(id, 'plan')
  using change = await openForChange(machine, id, { stop })
  return await use(change)
}
