import { Failure } from '#failure'
import { linksOfAuthor } from '#store'
import {
  isStart,
  pathTo,
  type FileDiff,
  type ProjectPath,
  type Tree,
  type TurnId,
  type Value,
} from '#timeline'
import { findBranch, findTurn, type ReadSession } from '../session/index.ts'
import { diffFile, projectContents, type Project, type Reveal } from '../project/index.ts'
import { readFilesSince } from './files-in-time.ts'
import { ingest } from '../witness/index.ts'
import type { Machine } from '../ground/index.ts'

/**
 * The diffs between the files after A and after B, as far as turns changed them. Each is a turn or
 * a branch; 0 is the start. `A..` compares with the files as they are now.
 */
export function diffTurns(
  machine: Machine,
  project: Project,
  session: ReadSession,
  range: string,
  how: Reveal,
): FileDiff[] {
  const [a, b, ...rest] = range.split('..')
  if (a === undefined || b === undefined || rest.length > 0)
    throw new Failure('usage', `${range} is not a range.`, {
      hint: 'Write A..B, such as 2..5, 0..3 or main..BRANCH; 3.. compares with the files as they are now.',
    })
  if (b === '') return readFilesSince(machine, session, turnOf(session.tree, a), how)
  const paths = [pathOf(session.tree, a), pathOf(session.tree, b)] as const
  ingest(machine, project, session.open)
  const contents = projectContents(project.store)
  return compareValues(project, partPaths(...paths)).map(({ path, first, second }) =>
    diffFile(contents, { path, before: first, after: second }, how),
  )
}

function turnOf(tree: Tree, text: string): TurnId | null {
  return isStart(text) ? null : findEnd(tree, text).turn
}

function pathOf(tree: Tree, text: string): TurnId[] {
  return isStart(text) ? [] : pathTo(tree.turns, findEnd(tree, text).turn)
}

/** The tip of a branch, or a turn. */
export function findEnd(tree: Tree, text: string): { kind: 'branch' | 'turn'; turn: TurnId } {
  try {
    return { kind: 'branch', turn: findBranch(tree, text).tip }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'branch-not-found') throw error
    return { kind: 'turn', turn: findTurn(tree, text) }
  }
}

/** Two paths from the first turn: the turns they share, and those that only one has. */
export interface Parted {
  readonly shared: readonly TurnId[]
  readonly first: readonly TurnId[]
  readonly second: readonly TurnId[]
}

export function partPaths(a: readonly TurnId[], b: readonly TurnId[]): Parted {
  let shared = 0
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++
  return { shared: a.slice(0, shared), first: a.slice(shared), second: b.slice(shared) }
}

/** One file at the end of each path. */
export interface ComparedValue {
  readonly path: ProjectPath
  readonly first: Value
  readonly second: Value
  readonly changedBy: 'both' | 'first' | 'second'
}

/** If only one side changed a file, the other side has the content from before that change. */
export function compareValues(project: Project, { first, second }: Parted): ComparedValue[] {
  const [one, other] = [changedBy(project, first), changedBy(project, second)]
  return [...new Set([...one.keys(), ...other.keys()])].map((path) => {
    const [a, b] = [one.get(path), other.get(path)]
    return {
      path,
      first: a?.after ?? b!.before,
      second: b?.after ?? a!.before,
      changedBy: a !== undefined && b !== undefined ? 'both' : a === undefined ? 'second' : 'first',
    }
  })
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
