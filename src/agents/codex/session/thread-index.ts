import { all, openForeign } from '#store'
import { stateDatabase } from './places.ts'

/** What Codex's own index says of a thread. The rollouts have everything else. */
export interface IndexedThread {
  readonly id: string
  /** The rollout that the agent would resume. */
  readonly path: string
  /** The name that the user gave it; null if none. */
  readonly name: string | null
}

/** Every thread of the index, by id. Empty if there is none, or none that can be read. */
export function readThreadIndex(home: string): ReadonlyMap<string, IndexedThread> {
  const path = stateDatabase(home)
  if (path === null) return new Map()
  try {
    using database = openForeign(path)
    const rows = all(database, 'select * from threads')
    return new Map(
      rows.map((row) => {
        const { id, rollout_path: rollout, name } = row
        const given = typeof name === 'string' && name.trim() !== '' ? name : null
        return [String(id), { id: String(id), path: String(rollout), name: given }]
      }),
    )
  } catch {
    return new Map()
  }
}
