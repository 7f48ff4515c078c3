import { makePrivateDirectory, makePrivateFile, type Disk } from '#disk'
import { openDatabase } from './database.ts'
import { isBusy } from './sqlite-failure.ts'

/**
 * Makes this process the only one of its kind, until it disposes of the lock or dies; null when
 * another one is. Like the writer lock it is the kernel's: no file of a dead process is in the way.
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
