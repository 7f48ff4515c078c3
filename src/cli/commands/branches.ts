import { readBranches, readCheckpoints } from '#engine'
import { branchesView, checkpointsView } from '#protocol'
import type { Context } from '../context.ts'
import { branchesText } from '../text/branches-text.ts'
import { checkpointsText } from '../text/checkpoints-text.ts'
import { allVisible } from '../visible.ts'

export function branches(context: Context): void {
  const report = readBranches(context.machine, context.wanted)
  if (context.json) return context.print(branchesView(report))
  context.page(branchesText(allVisible(report), context.paint, context.now))
}

export function checkpoints(context: Context): void {
  const report = readCheckpoints(context.machine, context.wanted)
  if (context.json) return context.print(checkpointsView(report))
  context.write(checkpointsText(allVisible(report), context.paint, context.now))
}
