import { findDone, sessionFacts, type Store } from '#store'
import {
  noMarks,
  plainBranch,
  type BranchMark,
  type Checkpoint,
  type KnownOfTree,
  type Marks,
} from '#timeline'
import { detailsOf, isAsked, type OperationDetails } from '../project/index.ts'

/** The marks of branches and the checkpoints are session facts under these names. */
export const branchFact = (id: string): string => `branch:${id}`
export const checkpointFact = (name: string): string => `checkpoint:${name}`

export const knowsNothing: KnownOfTree = { tip: null, marks: noMarks }

/** What the store knows about a session beyond its transcript. */
export function readKnownOfTree(store: Store, session: string): KnownOfTree {
  return { tip: lastTip(store, session), marks: readMarks(store, session) }
}

function readMarks(store: Store, session: string): Marks {
  const named = <T>(prefix: string): [string, T][] =>
    sessionFacts(store, session, prefix).map(({ name, fact }) => [
      name.slice(prefix.length),
      fact as T,
    ])
  return {
    branches: new Map(
      named<Partial<BranchMark>>(branchFact('')).map(([id, mark]) => [
        id,
        { ...plainBranch, ...mark },
      ]),
    ),
    checkpoints: named<Omit<Checkpoint, 'name'>>(checkpointFact(''))
      .map(([name, checkpoint]) => ({ name, ...checkpoint }))
      .sort((a, b) => (a.at < b.at ? -1 : 1)),
  }
}

/** The tip of the line after the newest move: redo follows that branch. */
function lastTip(store: Store, session: string): KnownOfTree['tip'] {
  return newestMove(store, session)?.to.tip ?? null
}

/** The newest operation on a session that moved something; one that only records facts does not. */
export function newestMove(store: Store, session: string): OperationDetails['operation'] | null {
  const found = findDone(store, { session }, (each) => {
    if (!isAsked(each)) return false
    return detailsOf(each).operation.facts.length === 0
  })
  return found === null ? null : detailsOf(found).operation
}
