import { listSessions, nameSession, search as searchAll, indexSessions } from '#engine'
import { searchView } from '#protocol'
import type { Context } from '../context.ts'
import { searchText } from '../text/search-text.ts'
import { allVisible } from '../visible.ts'

const FOUND = 24
/** Show progress only after this many ms. */
const SHOW_AFTER_MS = 500

/** Reads every session before it searches, so that one answer is complete. */
export function search(context: Context, words: string): void {
  const { machine, paint, environment, now } = context
  takeInAll(context)
  const within = sessionsOf(context)
  const report = searchAll(machine, words, {
    limit: FOUND,
    maxMs: 0,
    ...(within === null ? {} : { within }),
  })
  if (context.json) return context.print(searchView(report))
  if (report.turns.length === 0) return context.say('Nothing found.')
  context.page(searchText(allVisible(report), paint, { home: environment.home, now }))
}

/** The sessions of `--session` or `--project`; null searches all. */
function sessionsOf({ machine, wanted }: Context): string[] | null {
  if (wanted.session !== null) return [nameSession(machine, wanted).id]
  if (wanted.project === null) return null
  return listSessions(machine, wanted.project).map(({ id }) => id)
}

function takeInAll({ machine, interactive, json, now }: Context): void {
  let shown = ''
  const tell = (text: string): void => {
    process.stderr.write(`\r${text.padEnd(shown.length)}\r`)
    shown = text
  }
  indexSessions(machine, {
    enough(left) {
      const isSlow = interactive && !json && Date.now() - now > SHOW_AFTER_MS
      if (isSlow && left % 25 === 0) tell(`Reading … ${left.toLocaleString('en')} sessions left`)
      return false
    },
  })
  if (shown !== '') tell('')
}
