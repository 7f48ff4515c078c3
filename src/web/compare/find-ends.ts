import type { BranchesView, SessionsView } from '#protocol'
import { branchName } from '../branches/branch-name.ts'
import type { Log } from '../connection/queries.ts'
import { brief } from '../words.ts'

/** A choice for one side: the tip of a branch, a checkpoint, a turn, or another session. */
export interface End {
  readonly group: 'Branches' | 'Checkpoints' | 'Turns' | 'Sessions of this project'
  readonly value: string
  readonly name: string
  readonly short: string
}

/** Turns offered in the list; a longer one would be hard to choose from. */
const MAX_TURNS = 300

interface Known {
  readonly log: Log | undefined
  readonly branches: BranchesView | undefined
  readonly sessions: SessionsView['sessions']
  readonly session: string
  readonly asked: { readonly a?: string; readonly b?: string }
}

/** Lists the choices, and picks defaults for the sides that the URL does not name. */
export function findEnds(known: Known): { ends: End[]; a?: string; b?: string } {
  const { log, branches, sessions, session, asked } = known
  if (log === undefined || branches === undefined) return { ends: [] }
  const line = log.turns
    .filter(({ state }) => state !== 'other')
    .sort((x, y) => (x.number ?? 0) - (y.number ?? 0))
  const project = sessions.find(({ id }) => id === session)?.project ?? null
  const ends: End[] = [
    ...branches.branches.map((branch): End => {
      const name = branchName(branch)
      const here = branch.current ? ' (here)' : ''
      return { group: 'Branches', value: branch.id, name: `${name}${here}`, short: name }
    }),
    ...line.flatMap(({ id, checkpoints }) =>
      checkpoints.map((name): End => ({
        group: 'Checkpoints',
        value: name,
        name,
        short: name || id,
      })),
    ),
    ...line.slice(-MAX_TURNS).map(({ id, number, prompt }): End => ({
      group: 'Turns',
      value: id,
      name: `${number} ${brief(prompt, 44)}`,
      short: `turn ${number}`,
    })),
    ...sessions
      .filter(({ id, project: where }) => where === project && id !== session)
      .map(({ id, title }): End => ({
        group: 'Sessions of this project',
        value: id,
        name: brief(title, 44),
        short: brief(title, 28),
      })),
  ]
  return { ends, ...defaults(branches, line, asked) }
}

/** The current branch and the last other one listed; with one branch, its first and last turn. */
function defaults(
  { branches }: BranchesView,
  line: readonly { readonly id: string }[],
  asked: Known['asked'],
): { a?: string; b?: string } {
  const here = branches.find(({ current }) => current) ?? branches[0]
  const other = branches.findLast(({ id }) => id !== here?.id)
  const [a, b] = other === undefined ? [line[0]?.id, line.at(-1)?.id] : [here?.id, other.id]
  const found = { a: asked.a ?? a, b: asked.b ?? b }
  return found.a === undefined || found.b === undefined ? {} : { a: found.a, b: found.b }
}
