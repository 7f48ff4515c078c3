import {
  findBranch,
  findTurn,
  readBranches,
  readCheckpoints,
  type Asked,
  type ReadSession,
} from '#engine'
import { Failure } from '#failure'
import { branchesView, checkpointsView } from '#protocol'
import { pathTo } from '#timeline'
import type { Context } from '../context.ts'
import { branchesText } from '../text/branches-text.ts'
import { checkpointsText } from '../text/checkpoints-text.ts'
import { allVisible } from '../visible.ts'

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

export function branches(context: Context): void {
  const report = readBranches(context.machine, context.wanted)
  if (context.json) return context.print(branchesView(report))
  context.write(branchesText(allVisible(report), context.paint, context.now))
}

export function checkpoints(context: Context): void {
  const report = readCheckpoints(context.machine, context.wanted)
  if (context.json) return context.print(checkpointsView(report))
  context.write(checkpointsText(allVisible(report), context.paint, context.now))
}
