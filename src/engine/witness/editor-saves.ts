import type { Observation } from '#snapshots'
import { dropSessionFact, getSessionFact, putSessionFact, type Sighting, type Store } from '#store'

// Stands in for a session id: these facts belong to the project.
const PROJECT = '*'
const FACT = 'editor-saves'

/** Records which of a scan's changes are editor saves, until their authors are determined. */
export function noteEditorSaves(
  store: Store,
  sightings: readonly Sighting[],
  { isEditorSave }: Pick<Observation, 'isEditorSave'>,
): void {
  if (isEditorSave === undefined) return
  const saved = sightings.filter(
    ({ path, before, after }) =>
      before.kind === 'file' && after.kind === 'file' && isEditorSave(path),
  )
  if (saved.length === 0) return
  putSessionFact(store, PROJECT, FACT, [...readSaves(store), ...saved.map(keyOf)])
}

/** Consumes the recorded saves. Consume the sightings in the same transaction. */
export function takeEditorSaves(store: Store): (sighting: Sighting) => boolean {
  const saves = new Set(readSaves(store))
  if (saves.size > 0) dropSessionFact(store, PROJECT, FACT)
  return (sighting) => saves.has(keyOf(sighting))
}

function readSaves(store: Store): string[] {
  return (getSessionFact(store, PROJECT, FACT) ?? []) as string[]
}

function keyOf({ path, at }: Sighting): string {
  return `${at} ${path}`
}
