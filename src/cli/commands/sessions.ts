import { findLosses, findProject, listSessions, measureKept, type Machine } from '#engine'
import { Failure } from '#failure'
import { sessionsView } from '#protocol'
import type { Context } from '../context.ts'
import { keptText, lossText } from '../text/kept-text.ts'
import { sessionsText } from '../text/sessions-text.ts'
import { allVisible } from '../visible.ts'

type Agent = Machine['agents'][number]

export function sessions(
  context: Context,
  { all, agent }: { all: boolean; agent: string | null },
): void {
  const { machine, wanted, environment } = context
  const from = wanted.project ?? machine.places.cwd
  const project = all ? null : (findProject(machine, from) ?? from)
  const only = agent === null ? null : agentNamed(machine, agent)
  const every = listSessions(machine, project)
  const list = only === null ? every : every.filter((session) => session.agent === only.name)
  const losses = findLosses(machine, null)
    .filter((loss) => project === null || loss.project === project)
    .filter((loss) => only === null || isOf(only, loss))
  if (context.json) return context.print(sessionsView(list, losses))
  for (const line of lossText(allVisible(losses), context.paint)) context.say(line)
  if (list.length === 0) {
    const kind = only === null ? 'sessions' : `${only.words.name} sessions`
    const where = all ? 'on this machine' : `for ${from}`
    context.say(allVisible(`There are no ${kind} ${where}.`))
    const hint =
      all && every.length === 0
        ? whereSearched(only === null ? machine.agents : [only])
        : whereElse({ all, only })
    return context.say(context.paint.quiet(allVisible(hint)))
  }
  const { home } = environment
  const marks = agentMarks(machine, list)
  context.page(sessionsText(allVisible(list), context.paint, { home, now: context.now, marks }))
  const uncounted = list.filter(({ turns }) => turns === null).length
  if (all) printStorage(context)
  if (uncounted > 0)
    context.say(`${uncounted} sessions are not counted yet. Run the command again.`)
}

/** Where to find the sessions that a filter left out. */
function whereElse({ all, only }: { all: boolean; only: Agent | null }): string {
  const rest = all ? 'every agent' : only === null ? 'other projects' : 'other projects and agents'
  return `Run \`retake sessions --all\` to list the sessions of ${rest}.`
}

function isOf({ directories }: Agent, { path }: { readonly path: string }): boolean {
  return directories.some((directory) => path.startsWith(`${directory.path}/`))
}

/** An agent by its name, its short name or its program. */
function agentNamed({ agents }: Machine, named: string): Agent {
  const wanted = named.toLowerCase()
  const found = agents.find(({ name, words }) =>
    [name, words.name, words.short, words.program].some((each) => each.toLowerCase() === wanted),
  )
  if (found !== undefined) return found
  throw new Failure('agent-unknown', `Retake does not know the agent ${named}.`, {
    hint: `It knows ${agents.map(({ name }) => name).join(' and ')}.`,
  })
}

/** The short names of the agents, if the list has sessions of several. */
function agentMarks(
  { agents }: Context['machine'],
  list: readonly { readonly agent: string }[],
): ReadonlyMap<string, string> {
  const isMixed = new Set(list.map(({ agent }) => agent)).size > 1
  return new Map(isMixed ? agents.map(({ name, words }) => [name, words.short]) : [])
}

function whereSearched(agents: readonly Agent[]): string {
  const places = agents.flatMap(({ directories }) => directories.map(({ path }) => path))
  const names = agents.map(({ words }) => words.name).join(' or ')
  return `Retake looks in ${places.join(', ')}. Run ${names}, then come back.`
}

/** Shown only near or above the quota. */
function printStorage(context: Context): void {
  const kept = measureKept(context.machine, null)
  if (kept.level !== 'fine') context.say(keptText(kept, context.paint))
}
