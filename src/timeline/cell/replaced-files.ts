import { valueAt, type State } from './cell-move.ts'
import type { MoveGroup } from './move-group.ts'
import { absent } from '../data/index.ts'

/** The values from which the group's moves start. A file that replaced one of theirs is set aside. */
export function startOf({ paths, replaced }: MoveGroup, now: State): State {
  return new Map(
    paths.map((path) => [path, replaced?.has(path) === true ? absent : valueAt(now, path)]),
  )
}

/**
 * The values after the moves, with the files that were set aside. Null if the moves left a file in
 * the place of one of them.
 */
export function endOf({ replaced }: MoveGroup, now: State, state: State): State | null {
  const end = new Map(state)
  for (const path of replaced ?? []) {
    if (valueAt(state, path).kind !== 'absent') return null
    end.set(path, valueAt(now, path))
  }
  return end
}
