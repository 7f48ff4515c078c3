import {
  findTurnOrStart,
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

/** Files at earlier times, named by their index in a list, and the names of present files. */
export const fileRoutes: Definitions<Files> = {
  filesSince: {
    says: 'List files that changed since a turn, with their diffs',
    answers: ['diff'],
    query: queries.reveal,
    handle({ params, query }, { machine }) {
      const session = readSession(machine, { session: params.session, project: null })
      const turn = findTurnOrStart(session, params.turn)
      const files = readFilesSince(machine, session, turn, readReveal(query))
      return diffView(session.report.id, `${params.turn}..now`, files)
    },
  },
  changes: {
    says: 'Show the changes of this session that are still in the files, without other edits',
    answers: ['changes'],
    query: queries.reveal,
    handle({ params, query }, { machine }) {
      const session = readSession(machine, { session: params.session, project: null })
      return changesView(readSessionChanges(machine, session, readReveal(query)))
    },
  },
  moments: {
    says: 'List the turns and steps that changed files, and all changed files',
    answers: ['moments'],
    handle: ({ params: { session } }, { machine }) =>
      momentsView(readMoments(machine, readSession(machine, { session, project: null }))),
  },
  fileAt: {
    says: 'Show a file as it was after a turn or step, and its diff to now',
    answers: ['file-at'],
    query: queries.moment,
    handle({ params, query }, { machine }) {
      const { turn, seq } = query
      const session = readSession(machine, { session: params.session, project: null })
      const at = findTurnOrStart(session, turn)
      const moment = { turn: at, seq }
      return fileAtView(
        readFileAt(machine, session, Number(params.file), moment, readReveal(query)),
      )
    },
  },
  fileHistory: {
    says: 'List all versions of a file over turns and branches, and the turn that wrote each line',
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
    says: 'List the files in the agent’s directory, for an @ in a prompt',
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
