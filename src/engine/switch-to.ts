import { Failure } from '#failure'
import { pathTo } from '#timeline'
import { findBranch } from './branches.ts'
import { findTurn } from './find-turn.ts'
import type { ReadSession } from './read-session.ts'
import type { Asked } from './request.ts'

/** A branch, and where on it: a number counts along that branch, not along the current line. */
export function switchTo({ tree }: ReadSession, text: string, turn: string | undefined): Asked {
  const branch = findBranch(tree, text)
  if (turn === undefined) return { verb: 'switch', branch: branch.id, turn: null }
  const line = pathTo(tree.turns, branch.tip)
  const isNumber = /^\d{1,6}$/.test(turn) && Number(turn) <= line.length
  const found = isNumber ? line[Number(turn) - 1] : findTurn(tree, turn)
  if (found === undefined || !line.includes(found))
    throw new Failure('turn-not-found', `Turn ${turn} is not on ${text}.`, {
      hint: `Its turns are numbered 1 to ${line.length}.`,
    })
  return { verb: 'switch', branch: branch.id, turn: found }
}
