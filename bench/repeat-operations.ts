import { write, type Store } from '#store'

const OPERATION =
  'verb, session, inverts, details, at, state, tidy, because, steps, append, append_bytes, pruned'
const PATH = 'n, path, pre, post, choice, anchor, outcome, found, late'

/**
 * Makes a history of this many operations by repeating the two newest, an undo and its redo. It
 * simulates years of use in a second; the project stays as it was.
 */
export function repeatOperations(store: Store, count: number): void {
  const { connection } = store.database
  const [there, newest] = Object.values(
    connection.prepare('select count(*), max(id) from operation').get()!,
  ).map(Number) as [number, number]
  const copy = connection.prepare(
    `insert into operation (tag, ${OPERATION})
     select lower(hex(randomblob(16))), ${OPERATION} from operation where id = ?`,
  )
  const copyPaths = connection.prepare(
    `insert into operation_path (operation, ${PATH})
     select ?, ${PATH} from operation_path where operation = ?`,
  )
  write(store, () => {
    // Whole pairs, so that the last one is a redo.
    for (let n = 0; n < count - there || n % 2 === 1; n += 1) {
      const like = newest - 1 + (n % 2)
      const { lastInsertRowid } = copy.run(like)
      copyPaths.run(lastInsertRowid, like)
    }
  })
}
