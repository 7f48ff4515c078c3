import { search } from '#engine'
import { searchView } from '#protocol'
import { queries } from './requests.ts'
import type { Definitions } from './served.ts'

const FOUND = 24

export const searchRoutes: Definitions<'search'> = {
  search: {
    says: 'Turns with these words in prompt, answer, files or commands, in all sessions and branches',
    answers: ['search'],
    query: queries.search,
    handle: ({ query: { q, limit = FOUND } }, { machine }) =>
      searchView(search(machine, q, { limit })),
  },
}
