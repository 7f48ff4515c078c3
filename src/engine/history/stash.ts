import { command, Failure, remedy } from '#failure'
import type { Command } from '#protocol'
import { listOperations } from '#store'
import {
  depthOf,
  pathTo,
  sameValue,
  stateOf,
  type ShownStash,
  type StashEntry,
  type TurnId,
} from '#timeline'
import {
  detailsOf,
  isAsked,
  diffFile,
  projectContents,
  type Project,
  type Reveal,
} from '../project/index.ts'
import { compareValues } from './diff-turns.ts'
import { openForReading } from './files-in-time.ts'
import { undoneOperations } from './operations.ts'
import { turnName } from '../plan/index.ts'
import {
  branchNameOf,
  openKnownProject,
  reportTurn,
  withKnown,
  type ReadSession,
} from '../session/index.ts'
import type { Machine } from '../ground/index.ts'

/** The turns that an operation left behind, before they are reported one by one. */
interface Left {
  readonly id: number
  readonly verb: string
  readonly at: number
  readonly to: TurnId | null
  /** Oldest first, never empty. */
  readonly turns: readonly TurnId[]
}

/**
 * The turns that operations went back past and that are not active now, newest first. Derived from
 * the operations and the transcript; nothing is stored for it (W19).
 */
export function readStash(machine: Machine, session: ReadSession): StashEntry[] {
  const { tree, open, report } = session
  using project = openKnownProject(machine, report.project)
  if (project === null) return []
  return withKnown(
    machine,
    session,
    (known) =>
      findLeft(project, session).map(({ id, verb, at, to, turns }) => {
        const tip = turns.at(-1)!
        return {
          id,
          verb,
          at: new Date(at).toISOString(),
          from: turnName(session, tip)!,
          to: turnName(session, to),
          turns: turns.map((turn) => reportTurn(open, tree, turn, known).report),
          where: tree.places.has(tip) ? 'ahead' : branchNameOf(tree, tip),
        }
      }),
    project,
  )
}

/** One entry, with the diffs that its turns made to files, from the first to the last. */
export function showStash(
  machine: Machine,
  session: ReadSession,
  id: number,
  how: Reveal,
): ShownStash {
  const entry = readStash(machine, session).find((each) => each.id === id) ?? missing(id)
  using project = openForReading(machine, session)
  const contents = projectContents(project.store)
  const second = entry.turns.map(({ turn }) => turn.id)
  return {
    entry,
    files: compareValues(project, { shared: [], first: [], second })
      .filter(({ first: before, second: after }) => !sameValue(before, after))
      .map(({ path, first: before, second: after }) =>
        diffFile(contents, { path, before, after }, how),
      )
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** The command that brings an entry's turns back: a rewind forward, or a switch to their branch. */
export function restoreStash(project: Project, session: ReadSession, id: number): Command {
  const { tree } = session
  const entry = findLeft(project, session).find((left) => left.id === id) ?? missing(id)
  const tip = entry.turns.at(-1)!
  if (tree.places.has(tip)) return { verb: 'rewind', turn: tip }
  return { verb: 'switch', branch: tree.branchOf.get(tip)!.id, turn: tip }
}

function findLeft({ store }: Project, { tree, report }: ReadSession): Left[] {
  const all = listOperations(store, report.id)
  const undone = undoneOperations(all)
  const listed = new Set<TurnId>()
  const found: Left[] = []
  for (const each of all.filter(isAsked)) {
    const { id, verb, at, state } = each
    const { turns, operation, conversation } = detailsOf(each)
    if (state !== 'committed' || undone.has(id) || conversation !== 'moved') continue
    const kept = new Set(pathTo(tree.turns, operation.to.turn))
    // A turn that was left behind twice is listed once, under the newest operation.
    const left = turns
      .filter((turn) => tree.turns.has(turn) && !kept.has(turn) && !listed.has(turn))
      .filter((turn) => stateOf(tree, turn) !== 'active' && !tree.deleted.has(turn))
      .sort((a, b) => depthOf(tree, a) - depthOf(tree, b))
    for (const turn of left) listed.add(turn)
    if (left.length > 0) found.push({ id, verb, at, to: operation.to.turn, turns: left })
  }
  return found
}

function missing(id: number): never {
  throw new Failure('stash-not-found', `Operation ${id} left no turns behind.`, {
    hint: remedy`${command('stash')} to list those that did.`,
  })
}
