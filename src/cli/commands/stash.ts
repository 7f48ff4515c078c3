import {
  compare as compareEnds,
  readSession,
  readStash,
  restoreStash,
  showStash as readShown,
} from '#engine'
import { compareView, stashShowView, stashView } from '#protocol'
import type { Context } from '../context.ts'
import { compareText } from '../text/compare-text.ts'
import { stashEntryText, stashText } from '../text/stash-text.ts'
import { allVisible } from '../visible.ts'
import { change, type ChangeFlags } from './change.ts'
import { readOperationId } from './history.ts'

/** The stash, and comparing two lines. */

export function stash(context: Context): void {
  const session = readSession(context.machine, context.wanted)
  const entries = readStash(context.machine, session)
  if (context.json) return context.print(stashView(session.report.id, entries))
  context.page(stashText(allVisible(entries), context.paint, context.now))
}

export function showStash(context: Context, id: string): void {
  const session = readSession(context.machine, context.wanted)
  const shown = readShown(context.machine, session, readOperationId(id), { reveal: false })
  if (context.json) return context.print(stashShowView(session.report.id, shown))
  context.page(stashEntryText(allVisible(shown.entry), context.paint, context.now))
}

export async function restoreStashEntry(
  context: Context,
  flags: ChangeFlags,
  id: string,
): Promise<void> {
  await change(context, flags, (session, project) =>
    restoreStash(project, session, readOperationId(id)),
  )
}

export function compare(context: Context, a: string, b: string): void {
  const report = compareEnds(context.machine, context.wanted, [a, b], { reveal: false })
  if (context.json) return context.print(compareView(report))
  context.page(compareText(allVisible(report), context.paint))
}
