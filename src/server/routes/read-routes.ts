import {
  findLosses,
  findTurnOfMessage,
  listSessions,
  outlinePage,
  readImages,
  readLeaves,
  readLogPage,
  readMessages,
  readSession,
  readStatus,
  readTree,
  readTurn,
  readUndoState,
} from '#engine'
import {
  leavesView,
  logView,
  messagesView,
  sessionsView,
  showView,
  statusView,
  treeView,
  undoStateView,
} from '#protocol'
import { type Definitions, queries, readReveal } from '../requests/index.ts'

type Reads =
  | 'sessions'
  | 'session'
  | 'turns'
  | 'turn'
  | 'turnImages'
  | 'messages'
  | 'leaves'
  | 'tree'
  | 'undoState'

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
    handle({ params }, { machine, runs }) {
      const status = statusView(readStatus(machine, wanted(params)))
      return { ...status, permissionMode: runs.permissionMode(status.session) }
    },
  },
  turns: {
    says: 'The turns of a session in the order they were written, whatever branch they are on',
    answers: ['log'],
    query: queries.page,
    async handle({ params, query: { limit = null, before = null } }, { machine }) {
      await outlinePage(machine, wanted(params), { limit, before })
      const { log, head, more } = readLogPage(machine, wanted(params), { limit, before })
      return { ...logView(log), head, more }
    },
  },
  turn: {
    says: 'One turn whole: what was said and done, and each file’s change',
    answers: ['show'],
    query: queries.reveal,
    handle({ params, query }, { machine }) {
      const session = readSession(machine, wanted(params))
      const turn = findTurnOfMessage(session, params.turn)
      return showView(readTurn(machine, wanted(params), turn, readReveal(query)))
    },
  },
  turnImages: {
    says: 'The pictures beside a turn’s prompt, as they were sent',
    answers: ['images'],
    handle({ params }, { machine }) {
      const { images, ...of } = readImages(machine, wanted(params), params.turn)
      return { schema: 'retake.images/1', ...of, images: images.map((image) => ({ ...image })) }
    },
  },
  messages: {
    says: 'The conversation as the agent would resume it: prompts and answers, oldest first',
    answers: ['messages'],
    query: queries.page,
    async handle({ params, query: { limit = null, before = null } }, { machine }) {
      const session = readSession(machine, wanted(params))
      return messagesView(session.report.id, await readMessages(session, { limit, before }))
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
}

function wanted({ session }: { session: string }) {
  return { session, project: null }
}
