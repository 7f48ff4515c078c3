import { checkContents, type ContentProblem } from './content.ts'
import { one } from './database.ts'
import { checkDatabase, type Store } from './store.ts'

/** What is wrong with a store, as data; whole when both lists are empty. */
export interface CheckReport {
  readonly database: readonly string[]
  readonly contents: readonly ContentProblem[]
  readonly checked: number
}

/** Reads the whole store; with `readData` also every byte of every content. Changes nothing. */
export function checkStore(store: Store, { readData }: { readData: boolean }): CheckReport {
  const database = checkDatabase(store.database)
  try {
    const contents = checkContents(store, { readData })
    const checked = Number(one(store.database, 'select count(*) as n from content')!['n'])
    return { database, contents, checked }
  } catch (error) {
    // A table too damaged to walk: what SQLite said about it is all there is to say.
    if (database.length > 0) return { database, contents: [], checked: 0 }
    throw error
  }
}
