import { search } from '#engine'
import { searchView } from '#protocol'
import { type Definitions, queries } from '../requests/index.ts'

const FOUND = 24
/** So long others wait for a search that reads what is new; what takes longer a thread does. */
const PATIENCE = 50

export const searchRoutes: Definitions<'search'> = {
  search: {
    says: 'Search prompts, answers, files and commands in all sessions and branches',
    answers: ['search'],
    query: queries.search,
    handle({ query: { q, limit = FOUND } }, { machine, ahead }) {
      // Two that write at once would wait for each other, and everybody for the one of this thread.
      const patience = ahead.isTakingIn ? null : PATIENCE
      const report = search(machine, q, { limit, patience })
      if (report.left > 0) ahead.takeIn()
      return searchView(report)
    },
  },
}
