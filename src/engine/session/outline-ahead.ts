import type { TurnId } from '#timeline'
import type { SessionQuery } from './find-session.ts'
import { openSlice, type Machine, type Page } from '../ground/index.ts'
import { isOutlined, outlineTurn } from './outline-turn.ts'
import { cutPage, readSession, type ReadSession } from './read-session.ts'

/** Outlines all turns in short slices, so that listing them later does not block the event loop. */
export function outlineSession(machine: Machine, wanted: SessionQuery): Promise<void> {
  return outlineAhead(machine, wanted, ({ tree }) => [...tree.turns.keys()])
}

export function outlinePage(machine: Machine, wanted: SessionQuery, page: Page): Promise<void> {
  return outlineAhead(machine, wanted, ({ tree }) => cutPage(tree, page).ids)
}

export async function outlineAhead(
  machine: Machine,
  wanted: SessionQuery,
  pick: (session: ReadSession) => readonly TurnId[],
): Promise<void> {
  const session = readSession(machine, wanted)
  const { open } = session
  const slice = openSlice()
  for (const id of pick(session)) {
    if (isOutlined(open, id)) continue
    await slice.pause()
    outlineTurn(open, id)
  }
}

/** Outlines turns without yielding; false if the time slice ended before all were read. */
export function outlineNow({ open }: ReadSession, ids: readonly TurnId[]): boolean {
  const slice = openSlice()
  return ids.every((id) => {
    if (slice.isOver()) return isOutlined(open, id)
    outlineTurn(open, id)
    return true
  })
}
