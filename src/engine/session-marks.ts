import { listOperations, sessionFacts, type Operation, type Store } from '#store'
import {
  noMarks,
  plainBranch,
  type BranchMark,
  type Checkpoint,
  type KnownOfTree,
  type Marks,
} from '#timeline'
import { FOLLOW } from './operation-record.ts'
import type { OperationDetails } from './read-ledger.ts'

/** What is said of a branch, and of a turn, are facts of the session under these names. */
export const branchFact = (id: string): string => `branch:${id}`
export const checkpointFact = (name: string): string => `checkpoint:${name}`

export const knowsNothing: KnownOfTree = { tip: null, marks: noMarks }

/** What the project's store knows of a session that its transcript does not say. */
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

/** The tip of the line that the newest operation left: redo follows that branch. */
function lastTip(store: Store, session: string): KnownOfTree['tip'] {
  const newest = newestMove(store, session)
  return newest === null ? null : (newest.details as OperationDetails).operation.to.tip
}

const PAGE = 8

/** The newest operation on a session that moved something; what only names things moves nothing. */
export function newestMove(store: Store, session: string): Operation | null {
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const page = listOperations(store, { session, before, limit: PAGE })
    const found = page.find(({ verb, state, details }) => {
      if (verb === FOLLOW) return false
      const { facts = [] } = (details as OperationDetails).operation
      return state === 'committed' && facts.length === 0
    })
    if (found !== undefined) return found
    if (page.length < PAGE) return null
    before = page.at(-1)!.id
  }
}
