import { Failure } from '#failure'
import { pathTo, type Branch, type Tree, type TurnId } from '#timeline'
import { findBranch } from './branches.ts'
import { findTurn } from './find-turn.ts'
import type { ReadSession } from './read-session.ts'
import type { ResolvedCommand } from './request.ts'

/** Resolves a branch and a turn on it. A number counts along that branch, not the current line. */
export function switchTo(
  { tree }: ReadSession,
  text: string,
  turn: string | undefined,
): ResolvedCommand {
  if (turn === undefined) return switchToEnd(tree, text)
  const branch = findBranch(tree, text)
  const line = pathTo(tree.turns, branch.tip)
  const isNumber = /^\d{1,6}$/.test(turn) && Number(turn) <= line.length
  const found = isNumber ? line[Number(turn) - 1] : findTurn(tree, turn)
  if (found === undefined || !line.includes(found))
    throw new Failure('turn-not-found', `Turn ${turn} is not on ${text}.`, {
      hint: `Its turns are numbered 1 to ${line.length}.`,
    })
  return { verb: 'switch', branch: branch.id, turn: found }
}

/** The branch and number of a turn, to reach one that is not on the current line. */
export function placeOfTurn(
  tree: Tree,
  turn: TurnId,
): { readonly branch: Branch; readonly number: number } | null {
  for (const branch of tree.branches) {
    const number = pathTo(tree.turns, branch.tip).indexOf(turn) + 1
    if (number > 0 && (branch.turns.includes(turn) || tree.branches.length === 1))
      return { branch, number }
  }
  return null
}

/** The tip of a branch; or a turn, on the branch where it was made. */
function switchToEnd(tree: Tree, text: string): ResolvedCommand {
  try {
    return { verb: 'switch', branch: findBranch(tree, text).id, turn: null }
  } catch (error) {
    const place = error instanceof Failure ? findPlace(tree, text) : null
    if (place === null) throw error
    return { verb: 'switch', ...place }
  }
}

function findPlace(tree: Tree, text: string): { branch: string; turn: TurnId } | null {
  try {
    const turn = findTurn(tree, text)
    const place = placeOfTurn(tree, turn)
    return place === null ? null : { branch: place.branch.id, turn }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
