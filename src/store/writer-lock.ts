import { setTimeout } from 'node:timers/promises'
import { Failure } from '#failure'
import {
  errnoOf,
  fileSystemOf,
  makePrivateFile,
  nameBytes,
  readOwnFile,
  removeIfExists,
  writeAll,
  writeFailure,
} from '#disk'
import { openDatabase, type Database } from './database.ts'
import { isBusy } from './sqlite-failure.ts'
import type { Store } from './store.ts'

const FILE = 'lock.db'
const HOLDER = 'lock.holder'
const MAX_WAIT = 5000
const RETRY_INTERVAL = 25

/**
 * The right to change a project's files. It is an exclusive SQLite transaction, which the kernel
 * ends when the process dies. A lock that expires could have two owners after a laptop's sleep, and
 * a lock file would outlive a killed process.
 */
export interface Writer extends AsyncDisposable, Disposable {
  /** The directory of the project's store. */
  readonly directory: string
  readonly isHeld: boolean
  release(): void
}

/** Takes the lock, or fails with `project-locked` after `wait` ms and names the holder. */
export async function takeWriter(
  store: Store,
  { wait = MAX_WAIT, signal }: { wait?: number; signal?: AbortSignal } = {},
): Promise<Writer> {
  if (store.readOnly !== null) throw store.readOnly
  refuseNetwork(store)
  prepareFile(store)
  const until = performance.now() + Math.min(wait, MAX_WAIT)
  const database = openDatabase(`${store.directory}/${FILE}`, { timeout: 0 })
  try {
    while (!tryLock(database)) {
      if (performance.now() >= until) throw isLocked(store)
      await setTimeout(RETRY_INTERVAL, undefined, { signal })
    }
    writeHolder(store)
  } catch (error) {
    database.connection.close()
    throw error
  }
  const release = () => {
    if (!database.connection.isOpen) return
    forgetHolder(store)
    database.connection.close()
  }
  return {
    directory: store.directory,
    get isHeld() {
      return database.connection.isOpen && database.connection.isTransaction
    },
    release,
    [Symbol.dispose]: release,
    [Symbol.asyncDispose]: async () => release(),
  }
}

function tryLock(database: Database): boolean {
  try {
    database.connection.exec('begin exclusive')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

/**
 * Records the holder, for the message only: a process may die without removing the record, and its
 * pid may be reused.
 */
function writeHolder(store: Store): void {
  const path = `${store.directory}/${HOLDER}`
  try {
    forgetHolder(store)
    const file = store.disk.create(nameBytes(path), 0o600)
    try {
      writeAll(store.disk, file, Buffer.from(String(process.pid)))
    } finally {
      store.disk.close(file)
    }
  } catch (error) {
    throw errnoOf(error) === undefined ? error : writeFailure(error, path)
  }
}

/** A file system can run out of inodes while it has space. */
function prepareFile(store: Store): void {
  try {
    makePrivateFile(store.disk, store.directory, FILE)
  } catch (error) {
    throw errnoOf(error) === undefined ? error : writeFailure(error, `${store.directory}/${FILE}`)
  }
}

function forgetHolder(store: Store): void {
  removeIfExists(store.disk, nameBytes(`${store.directory}/${HOLDER}`))
}

function isLocked(store: Store): Failure {
  const noted = readOwnFile(store.disk, `${store.directory}/${HOLDER}`)?.toString('utf8') ?? ''
  const holder = /^\d+$/u.test(noted) ? `Process ${noted}` : 'Another process'
  return new Failure('project-locked', `${holder} is changing this project.`, {
    hint: 'Try again when it is done.',
  })
}

function refuseNetwork(store: Store): void {
  if (!fileSystemOf(store.disk, store.directory).isNetwork) return
  throw new Failure('store-on-network', 'The store is on a network file system.', {
    hint: 'Locks do not work there. Set XDG_DATA_HOME to a directory on a local disk.',
  })
}
