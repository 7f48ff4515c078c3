import {
  findTurnOfMessage,
  readFileAt,
  readFileHistory,
  readFilesSince,
  readMoments,
  readSession,
  readSessionChanges,
} from '#engine'
import { changesView, diffView, fileAtView, fileHistoryView, momentsView } from '#protocol'
import { type Definitions, queries, readReveal } from '../requests/index.ts'

type Files = 'changes' | 'filesSince' | 'moments' | 'fileAt' | 'fileHistory' | 'projectFiles'

const LISTED = 20
const NO_FILES = { paths: [], isWhole: true }

/** Files as they were, named by their place in a list; and the names of those that are there now. */
export const fileRoutes: Definitions<Files> = {
  filesSince: {
    says: 'The files that are not now what they were after a turn, and what leads from there to now',
    answers: ['diff'],
    query: queries.reveal,
    handle({ params, query }, { machine }) {
      const session = readSession(machine, { session: params.session, project: null })
      // Turn 0 is the moment before the first one.
      const turn = params.turn === '0' ? null : findTurnOfMessage(session, params.turn)
      const files = readFilesSince(machine, session, turn, readReveal(query))
      return diffView(session.report.id, `${params.turn}..now`, files)
    },
  },
  changes: {
    says: 'What the turns up to the head did to files and is still in them, without others’ edits',
    answers: ['changes'],
    query: queries.reveal,
    handle({ params, query }, { machine }) {
      const session = readSession(machine, { session: params.session, project: null })
      return changesView(readSessionChanges(machine, session, readReveal(query)))
    },
  },
  moments: {
    says: 'The turns and steps at which files changed, and all files that the session changed',
    answers: ['moments'],
    handle: ({ params: { session } }, { machine }) =>
      momentsView(readMoments(machine, readSession(machine, { session, project: null }))),
  },
  fileAt: {
    says: 'One file as it was after a turn or one of its steps, and what leads from there to now',
    answers: ['file-at'],
    query: queries.moment,
    handle({ params, query }, { machine }) {
      const { turn, seq } = query
      const session = readSession(machine, { session: params.session, project: null })
      const at = turn === '0' ? null : findTurnOfMessage(session, turn)
      const moment = { turn: at, seq }
      return fileAtView(
        readFileAt(machine, session, Number(params.file), moment, readReveal(query)),
      )
    },
  },
  fileHistory: {
    says: 'Every version of a file over turns and branches, and which of them brought each line',
    answers: ['file-history'],
    query: queries.reveal,
    handle({ params, query }, { machine }) {
      const session = readSession(machine, { session: params.session, project: null })
      return fileHistoryView(
        readFileHistory(machine, session, Number(params.file), readReveal(query)),
      )
    },
  },
  projectFiles: {
    says: 'Names of files in scope below the directory that the agent works in, for an @ in a prompt',
    answers: ['project-files'],
    query: queries.projectFiles,
    async handle({ params, query: { q = '', limit = LISTED } }, { machine, files, runs }) {
      const run = runs.last(params.session)
      const { id, project } =
        run === null
          ? readSession(machine, { session: params.session, project: null }).report
          : { id: run.session, project: run.project }
      const found = project === null ? NO_FILES : await files.find(project, q, limit)
      return {
        schema: 'retake.project-files/1',
        session: id,
        files: [...found.paths],
        whole: found.isWhole,
      }
    },
  },
}
