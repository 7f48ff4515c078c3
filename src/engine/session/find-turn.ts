import { Failure } from '#failure'
import { pathTo, type Tree, type TurnId } from '#timeline'
import { findBranch } from './branches.ts'

/**
 * Finds a turn by what users type: its number on the current line, its id or the first four or more
 * characters of it, the name of a checkpoint, or `BRANCH:NUMBER`.
 */
export function findTurn(tree: Tree, text: string): TurnId {
  // Four or more digits can also be the start of a turn's id.
  if (/^\d+$/.test(text) && (text.length < 4 || Number(text) <= tree.line.length))
    return tree.line[Number(text) - 1] ?? missing(text, tree)
  const [branch, number] = splitBranch(text)
  if (branch !== null) return onBranch(tree, branch, number)
  if (tree.turns.has(text as TurnId)) return text as TurnId
  const checkpoint = tree.marks.checkpoints.find(({ name }) => name === text)
  if (checkpoint !== undefined && tree.turns.has(checkpoint.turn)) return checkpoint.turn
  if (checkpoint !== undefined)
    throw new Failure('turn-not-found', `The turn of ${text} is no longer in the transcript.`)
  const matching = text.length < 4 ? [] : [...tree.turns.keys()].filter((id) => id.startsWith(text))
  if (matching.length > 1)
    throw new Failure('turn-ambiguous', `${matching.length} turns begin with ${text}.`, {
      hint: 'Give more characters of the id.',
    })
  return matching[0] ?? missing(text, tree)
}

function splitBranch(text: string): [string, number] | [null, 0] {
  const match = /^(.+):(\d+)$/.exec(text)
  return match === null ? [null, 0] : [match[1]!, Number(match[2])]
}

/** Finds a turn by its number on a branch's line, which includes the turns shared with others. */
export function onBranch(tree: Tree, name: string, number: number): TurnId {
  const line = pathTo(tree.turns, findBranch(tree, name).tip)
  return line[number - 1] ?? missing(`${name}:${number}`, tree)
}

function missing(text: string, tree: Tree): never {
  const count = tree.line.length
  throw new Failure('turn-not-found', `There is no turn ${text} in this session.`, {
    hint: count === 0 ? 'The session has no turns.' : `Turns are numbered 1 to ${count}.`,
  })
}
