import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { durableDisk, nameBytes, type Disk } from '../../src/disk/index.ts'
import { findProjectKey, openStore, type ProjectRoot, type Store } from '../../src/store/index.ts'
import { inMemory } from '../house/in-memory.ts'

/**
 * A directory that is removed with the test. In memory if possible, because tests make thousands.
 */
export interface Temporary extends Disposable {
  readonly path: string
}

export function temporary(below = inMemory()): Temporary {
  const path = mkdtempSync(join(realpathSync(below), 'retake-'))
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** A project and a store beside it. */
export interface World extends Temporary {
  readonly project: string
  readonly data: string
  /** The store's directory, created if missing. */
  readonly directory: string
  open(disk?: Disk): Store
}

export function world({
  isSeeded = true,
  below,
}: { isSeeded?: boolean; below?: string } = {}): World {
  const { path, [Symbol.dispose]: end } = temporary(below)
  mkdirSync(join(path, 'project'))
  return worldAt(path, { end, isSeeded })
}

const rootOf = (path: string): ProjectRoot => ({ path, stat: durableDisk.stat(nameBytes(path))! })

let emptyStore: Buffer | undefined

/** Copies an empty store into place: creating its tables takes longer than most tests. */
function seedStore(data: string, root: ProjectRoot): void {
  const directory = join(data, 'projects', findProjectKey(durableDisk, data, root))
  if (existsSync(directory)) return
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  emptyStore ??= makeEmptyStore()
  writeFileSync(join(directory, 'store.db'), emptyStore, { mode: 0o600, flag: 'wx' })
}

function makeEmptyStore(): Buffer {
  using at = temporary()
  const store = openStore({ data: join(at.path, 'data'), root: rootOf(at.path), disk: durableDisk })
  store.close()
  return readFileSync(join(store.directory, 'store.db'))
}

/** Opens the same world in another process. */
export function worldAt(
  path: string,
  { end = () => {}, isSeeded = false }: { end?: () => void; isSeeded?: boolean } = {},
): World {
  const project = join(path, 'project')
  const data = join(path, 'data')
  const stores: Store[] = []
  let directory: string | undefined
  const made: World = {
    path,
    project,
    data,
    get directory() {
      if (directory === undefined) made.open().close()
      return directory!
    },
    open(disk = durableDisk) {
      const root = rootOf(project)
      if (isSeeded) seedStore(data, root)
      const store = openStore({ data, root, disk })
      stores.push(store)
      directory = store.directory
      return store
    },
    [Symbol.dispose]() {
      for (const store of stores) store.close()
      end()
    },
  }
  return made
}
