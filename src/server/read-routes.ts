import {
  findLosses,
  findTurnOfMessage,
  listKnownProjects,
  listSessions,
  openProject,
  readLeaves,
  readLogPage,
  readMessages,
  readOperations,
  readSession,
  readStatus,
  readTree,
  readTurn,
  readUndoState,
  type Machine,
} from '#engine'
import { Failure } from '#failure'
import {
  leavesView,
  logView,
  messagesView,
  operationsView,
  sessionsView,
  showView,
  statusView,
  treeView,
  undoStateView,
  type OperationView,
} from '#protocol'
import { queries } from './requests.ts'
import type { Definitions } from './served.ts'

type Reads =
  | 'sessions'
  | 'session'
  | 'turns'
  | 'turn'
  | 'messages'
  | 'leaves'
  | 'tree'
  | 'undoState'
  | 'operations'

/** Routes that only read. Their answers are those of the command line’s `--json`. */
export const readRoutes: Definitions<Reads> = {
  sessions: {
    says: 'Every session on this machine, newest first',
    answers: ['sessions'],
    handle: (_, { machine }) =>
      sessionsView(listSessions(machine, null), findLosses(machine, null)),
  },
  session: {
    says: 'Where a session stands',
    answers: ['status'],
    handle: ({ params }, { machine }) => statusView(readStatus(machine, wanted(params))),
  },
  turns: {
    says: 'The turns of a session in the order they were written, whatever branch they are on',
    answers: ['log'],
    query: queries.page,
    handle({ params, query: { limit = null, before = null } }, { machine }) {
      const { log, head, more } = readLogPage(machine, wanted(params), { limit, before })
      return { ...logView(log), head, more }
    },
  },
  turn: {
    says: 'One turn whole: what was said and done, and each file’s change',
    answers: ['show'],
    handle({ params }, { machine }) {
      const session = readSession(machine, wanted(params))
      const turn = findTurnOfMessage(session, params.turn)
      return showView(readTurn(machine, wanted(params), turn))
    },
  },
  messages: {
    says: 'The conversation as the agent would resume it: prompts and answers, oldest first',
    answers: ['messages'],
    query: queries.page,
    handle({ params, query: { limit = null, before = null } }, { machine }) {
      const session = readSession(machine, wanted(params))
      return messagesView(session.report.id, readMessages(session, { limit, before }))
    },
  },
  leaves: {
    says: 'The tip of every branch, newest first',
    answers: ['leaves'],
    handle: ({ params }, { machine }) => leavesView(readLeaves(machine, wanted(params))),
  },
  tree: {
    says: 'The branches with their turns, and where the session stands',
    answers: ['tree'],
    handle: ({ params }, { machine }) => treeView(readTree(machine, wanted(params))),
  },
  undoState: {
    says: 'Where undo and redo stand, in one record',
    answers: ['undo-state'],
    handle: ({ params }, { machine }) => undoStateView(readUndoState(machine, wanted(params))),
  },
  operations: {
    says: 'What Retake did, newest first: in a session’s project, or everywhere',
    answers: ['op-log'],
    query: queries.operations,
    handle({ query: { session, limit } }, { machine }) {
      const projects =
        session === undefined
          ? listKnownProjects(machine)
          : projectsOf(machine, readSession(machine, { session, project: null }).report.project)
      const operations = projects
        .flatMap(({ key, path }) => operationsIn(machine, key, path))
        .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.id - a.id))
      return { schema: 'retake.op-log/1', operations: operations.slice(0, limit) }
    },
  },
}

function wanted({ session }: { session: string }) {
  return { session, project: null }
}

function projectsOf(machine: Machine, path: string | null) {
  return listKnownProjects(machine).filter((known) => known.path === path)
}

function operationsIn(machine: Machine, key: string, path: string): OperationView[] {
  try {
    using project = openProject(machine, path)
    const { operations } = operationsView(readOperations(project))
    return operations.map((operation) => ({ ...operation, ref: `${key}.${operation.id}` }))
  } catch (error) {
    // One project whose store is damaged does not hide what was done in the others.
    if (error instanceof Failure) return []
    throw error
  }
}
