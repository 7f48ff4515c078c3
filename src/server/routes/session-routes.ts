import {
  nameSession,
  nothingReceipt,
  type PlannedOperation,
  type SessionChange,
  openForChange,
} from '#engine'
import { Failure } from '#failure'
import { receiptsView, receiptView, type Command, type ReceiptView } from '#protocol'
import type { ReceiptReport } from '#timeline'
import { apply, bodies, type Definitions, refuseRunning, type Served } from '../requests/index.ts'

type Sessions = 'changeSession' | 'deleteSession' | 'changeSessions' | 'deleteSessions'

/**
 * Renames, archives and hides whole sessions, only in Retake: the agent’s files stay as they are.
 */
export const sessionRoutes: Definitions<Sessions> = {
  changeSession: {
    says: 'Rename a session in Retake, or archive or unarchive it',
    answers: ['receipt'],
    body: bodies.changeSession,
    async handle({ params: { session }, body: { title, archived } }, served) {
      if ((title === undefined) === (archived === undefined))
        throw new Failure('body-invalid', 'Give a `title`, or `archived`, and not both.')
      return onlyOne(
        await editSessions(served, [session], (sessions) =>
          title === undefined
            ? { verb: archiving(archived), sessions }
            : { verb: 'session-rename', session, name: title },
        ),
      )
    },
  },
  deleteSession: {
    says: 'Hide a session; the agent’s files stay, and it can be undone',
    answers: ['receipt'],
    handle: async ({ params: { session } }, served) =>
      onlyOne(
        await editSessions(served, [session], (all) => ({ verb: 'session-delete', sessions: all })),
      ),
  },
  changeSessions: {
    says: 'Archive or unarchive sessions: one operation for each project',
    answers: ['receipts'],
    body: bodies.changeSessions,
    handle: async ({ body: { sessions, archived } }, served) =>
      receiptsView(
        await editSessions(served, sessions, (all) => ({
          verb: archiving(archived),
          sessions: all,
        })),
      ),
  },
  deleteSessions: {
    says: 'Hide sessions: all of them, or none if one cannot be hidden',
    answers: ['receipts'],
    body: bodies.sessions,
    handle: async ({ body: { sessions } }, served) =>
      receiptsView(
        await editSessions(served, sessions, (all) => ({ verb: 'session-delete', sessions: all })),
      ),
  },
}

function archiving(archived: boolean | undefined): 'session-archive' | 'session-unarchive' {
  return archived === true ? 'session-archive' : 'session-unarchive'
}

function onlyOne([receipt]: readonly ReceiptReport[]): ReceiptView {
  return receiptView(receipt!)
}

/** Plans all before it applies the first: if one is refused, all are. */
async function editSessions(
  served: Served,
  ids: readonly string[],
  ask: (sessions: string[]) => Command,
): Promise<ReceiptReport[]> {
  const { machine } = served
  const found = ids.map((session) => nameSession(machine, { session, project: null }))
  const byProject = Map.groupBy(found, ({ project }) => project)
  using opened = new DisposableStack()
  const plans: { change: SessionChange; planned: PlannedOperation }[] = []
  const nothing: ReceiptReport[] = []
  for (const inProject of byProject.values()) {
    const change = opened.use(await openForChange(machine, inProject[0]!.id))
    const command = ask(inProject.map(({ id }) => id))
    if (command.verb === 'session-delete') for (const { id } of inProject) refuseRunning(served, id)
    const planned = await change.plan(command)
    if (planned.kind === 'planned') plans.push({ change, planned })
    else nothing.push(nothingReceipt(change.session, planned))
  }
  const done: ReceiptReport[] = []
  for (const { change, planned } of plans) done.push(await apply(served, change, planned))
  return [...done, ...nothing]
}
