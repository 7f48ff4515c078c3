import { makePrivateDirectory, makePrivateFile, type Disk } from '#disk'
import { openDatabase } from './database.ts'
import { isBusy } from './sqlite-failure.ts'

/**
 * Makes this process the only holder of a lock until it disposes of it or dies; null if another
 * process holds it. The kernel releases it, so a dead process leaves no stale lock.
 */
export function holdProcessLock(disk: Disk, directory: string, name: string): Disposable | null {
  makePrivateDirectory(disk, directory, [])
  makePrivateFile(disk, directory, name)
  const { connection } = openDatabase(`${directory}/${name}`, { timeout: 0 })
  try {
    connection.exec('begin exclusive')
  } catch (error) {
    connection.close()
    if (isBusy(error)) return null
    throw error
  }
  return { [Symbol.dispose]: () => connection.close() }
}
