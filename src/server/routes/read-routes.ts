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

/** Routes that only read. Their responses are the same as those of `--json` on the command line. */
export const readRoutes: Definitions<Reads> = {
  sessions: {
    says: 'List all sessions on this machine, newest first',
    answers: ['sessions'],
    handle: (_, { machine }) =>
      sessionsView(listSessions(machine, null), findLosses(machine, null)),
  },
  session: {
    says: 'Show the state of a session',
    answers: ['status'],
    handle({ params }, { machine, runs }) {
      const status = statusView(readStatus(machine, wanted(params)))
      return { ...status, permissionMode: runs.permissionMode(status.session) }
    },
  },
  turns: {
    says: 'List the turns of a session on all branches, in the order they were written',
    answers: ['log'],
    query: queries.page,
    async handle({ params, query: { limit = null, before = null } }, { machine }) {
      await outlinePage(machine, wanted(params), { limit, before })
      const { log, head, more } = readLogPage(machine, wanted(params), { limit, before })
      return { ...logView(log), head, more }
    },
  },
  turn: {
    says: 'Show one turn: prompt, answer, steps and diffs',
    answers: ['show'],
    query: queries.reveal,
    handle({ params, query }, { machine }) {
      const session = readSession(machine, wanted(params))
      const turn = findTurnOfMessage(session, params.turn)
      return showView(readTurn(machine, wanted(params), turn, readReveal(query)))
    },
  },
  turnImages: {
    says: 'Read the images of a turn’s prompt',
    answers: ['images'],
    handle({ params }, { machine }) {
      const { images, ...of } = readImages(machine, wanted(params), params.turn)
      return { schema: 'retake.images/1', ...of, images: images.map((image) => ({ ...image })) }
    },
  },
  messages: {
    says: 'Read the conversation as the agent would resume it, oldest message first',
    answers: ['messages'],
    query: queries.page,
    async handle({ params, query: { limit = null, before = null } }, { machine }) {
      const session = readSession(machine, wanted(params))
      return messagesView(session.report.id, await readMessages(session, { limit, before }))
    },
  },
  leaves: {
    says: 'List the last turn of every branch, newest first',
    answers: ['leaves'],
    handle: ({ params }, { machine }) => leavesView(readLeaves(machine, wanted(params))),
  },
  tree: {
    says: 'Show the branches with their turns, and the current turn',
    answers: ['tree'],
    handle: ({ params }, { machine }) => treeView(readTree(machine, wanted(params))),
  },
  undoState: {
    says: 'Show what undo and redo would do next',
    answers: ['undo-state'],
    handle: ({ params }, { machine }) => undoStateView(readUndoState(machine, wanted(params))),
  },
}

function wanted({ session }: { session: string }) {
  return { session, project: null }
}
