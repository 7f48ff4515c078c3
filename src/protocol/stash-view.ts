import type { ShownStash, StashEntry } from '#timeline'
import { turnView, type TurnView } from './log-view.ts'
import { hunksOf, type HunksView } from './show-view.ts'

export interface StashEntryView extends Omit<StashEntry, 'turns'> {
  turns: TurnView[]
}

export interface StashView {
  schema: 'retake.stash/1'
  session: string
  entries: StashEntryView[]
}

export function stashView(session: string, entries: readonly StashEntry[]): StashView {
  return { schema: 'retake.stash/1', session, entries: entries.map(entryView) }
}

export interface StashShowView {
  schema: 'retake.stash-show/1'
  session: string
  entry: StashEntryView
  /** What its turns did to files, combined. */
  files: HunksView[]
}

export function stashShowView(session: string, { entry, files }: ShownStash): StashShowView {
  return {
    schema: 'retake.stash-show/1',
    session,
    entry: entryView(entry),
    files: files.map(hunksOf),
  }
}

function entryView(entry: StashEntry): StashEntryView {
  return { ...entry, turns: entry.turns.map(turnView) }
}
