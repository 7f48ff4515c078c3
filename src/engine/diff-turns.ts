import { Failure } from '#failure'
import { linksOfAuthor } from '#store'
import { diffValues, type FileDiff, type ProjectPath, type TurnId, type Value } from '#timeline'
import { ingest } from './ingest.ts'
import type { Machine } from './machine.ts'
import type { Project } from './open-project.ts'
import { projectContents } from './project-contents.ts'
import { findTurn } from './find-turn.ts'
import type { ReadSession } from './read-session.ts'

/** What the turns after A up to and including B did to files. A is a turn, or 0 for the start. */
export function diffTurns(
  machine: Machine,
  project: Project,
  session: ReadSession,
  range: string,
): FileDiff[] {
  const [from, to] = readRange(session, range)
  ingest(machine, project, session.open)
  const backwards = from > to
  const turns = session.tree.line.slice(Math.min(from, to), Math.max(from, to))
  const changed = changedBy(project, turns)
  const contents = projectContents(project.store)
  return [...changed].map(([path, { before, after }]) => ({
    path,
    diff: backwards ? diffValues(contents, after, before) : diffValues(contents, before, after),
  }))
}

function changedBy(
  { store }: Project,
  turns: readonly TurnId[],
): Map<ProjectPath, { before: Value; after: Value }> {
  const changed = new Map<ProjectPath, { before: Value; after: Value }>()
  for (const turn of turns)
    for (const link of linksOfAuthor(store, { kind: 'turn', id: turn }))
      changed.set(link.path, {
        before: changed.get(link.path)?.before ?? link.before,
        after: link.after,
      })
  return changed
}

function readRange({ tree }: ReadSession, range: string): [number, number] {
  const [from, to, ...rest] = range.split('..')
  if (from === undefined || to === undefined || rest.length > 0)
    throw new Failure('usage', `${range} is no range.`, {
      hint: 'Write A..B, such as 2..5 or 0..3.',
    })
  const placeOf = (text: string): number => {
    if (text === '0') return 0
    const place = tree.places.get(findTurn(tree, text))
    if (place === undefined)
      throw new Failure('turn-not-found', `Turn ${text} is not on the current line.`, {
        hint: 'Run `retake tree` to see where it is.',
      })
    return place + 1
  }
  return [placeOf(from), placeOf(to)]
}
