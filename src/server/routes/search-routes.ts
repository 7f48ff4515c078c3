import { search } from '#engine'
import { searchView } from '#protocol'
import { type Definitions, queries } from '../requests/index.ts'

const FOUND = 24
/**
 * How long a search may block the event loop to read what is new; a worker thread reads the rest.
 */
const MAX_INDEXING_MS = 50

export const searchRoutes: Definitions<'search'> = {
  search: {
    says: 'Search prompts, answers, files and commands in all sessions and branches',
    answers: ['search'],
    query: queries.search,
    handle({ query: { q, limit = FOUND } }, { machine, ahead }) {
      // While the worker thread writes, do not write here: waiting for it would block the event
      // loop.
      const maxMs = ahead.isIndexing ? null : MAX_INDEXING_MS
      const report = search(machine, q, { limit, maxMs })
      if (report.left > 0) ahead.indexSessions()
      return searchView(report)
    },
  },
}
