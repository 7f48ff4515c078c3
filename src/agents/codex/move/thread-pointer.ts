import { one, openForeign, run, transact } from '#store'
import { statPath } from '#disk'

/** The rollout that the agent's index names for a thread; null if it has none. */
export function readPointer(database: string | null, thread: string): string | null {
  if (database === null || statPath(database) === null) return null
  using open = openForeign(database)
  const row = one(open, 'select rollout_path from threads where id = ?', thread)
  return row === undefined ? null : String(row['rollout_path'])
}

/** Changes it in one transaction, if it still is `from`. Returns whether it is `to` now. */
export function replacePointer(
  database: string,
  thread: string,
  { from, to }: { from: string; to: string },
): boolean {
  using open = openForeign(database, { writes: true })
  return transact(open, () => {
    run(
      open,
      'update threads set rollout_path = ? where id = ? and rollout_path = ?',
      to,
      thread,
      from,
    )
    return (
      one(open, 'select rollout_path from threads where id = ?', thread)?.['rollout_path'] === to
    )
  })
}
