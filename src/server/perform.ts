import {
  applyOperation,
  nothingReceipt,
  openProject,
  planOperation,
  readSession,
  recoverProject,
  settleMoves,
  type Asked,
  type AskedHow,
  type PlannedOperation,
  type Project,
  type ReadSession,
  type Running,
} from '#engine'
import { receiptView, type ReceiptView } from '#protocol'
import type { ReceiptReport } from '#timeline'
import type { Served } from './served.ts'

/** What somebody wants done, and to which session. */
export interface Work {
  readonly session: ReadSession
  readonly project: Project
  readonly asked: Asked
  readonly how: AskedHow
}

/** Plans and applies in one; the caller has seen no plan, so whatever asks something is refused. */
export async function planAndApply(served: Served, work: Work): Promise<ReceiptView> {
  const { session, project, asked, how } = work
  const planned = await planOperation(served.machine, project, named(session), asked, how)
  if (planned.kind === 'nothing-to-do') return receiptView(nothingReceipt(session, planned))
  return receiptView(await apply(served, project, planned))
}

export function apply(
  served: Served,
  project: Project,
  planned: PlannedOperation,
): Promise<ReceiptReport> {
  return served.underWay.carryOut(planned, (running) =>
    applyWhile(served, { project, planned, running }),
  )
}

/** As part of something that is under way already. */
export async function applyWhile(
  { machine, watch, log }: Served,
  { project, planned, running }: { project: Project; planned: PlannedOperation; running: Running },
): Promise<ReceiptReport> {
  const receipt = await applyOperation(machine, project, planned, running)
  const { operation, verb, session, from, to } = receipt
  log.write({ did: verb, operation, session, from: from?.id ?? null, to: to?.id ?? null })
  // Other windows hear of it before this one has its answer read.
  watch.look()
  return receipt
}

/** Opens a session to change it. */
export async function withSession<T>(
  { machine, ahead }: Served,
  id: string,
  use: (session: ReadSession, project: Project) => T | Promise<T>,
): Promise<T> {
  const wanted = { session: id, project: null }
  await ahead.prepare(id, 'plan')
  using project = openProject(machine, readSession(machine, wanted).report.project)
  // What a process that died left behind may have moved this very session.
  await recoverProject(machine, project)
  await settleMoves(machine, project, { session: id })
  return await use(readSession(machine, wanted), project)
}

export function named({ report }: ReadSession): { session: string; project: null } {
  return { session: report.id, project: null }
}
