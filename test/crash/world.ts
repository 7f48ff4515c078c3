import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { durableDisk, nameBytes, type Disk } from '../../src/disk/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { inMemory } from '../house/in-memory.ts'

/** A directory that ends with the test. In memory where that is possible: thousands are made. */
export interface Temporary extends Disposable {
  readonly path: string
}

export function temporary(): Temporary {
  const path = mkdtempSync(join(realpathSync(inMemory()), 'retake-'))
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** A project and a store beside it. */
export interface World extends Temporary {
  readonly project: string
  readonly data: string
  /** Where the store is; it is made if need be. */
  readonly directory: string
  open(disk?: Disk): Store
}

export function world(): World {
  const { path, [Symbol.dispose]: end } = temporary()
  mkdirSync(join(path, 'project'))
  return worldAt(path, end)
}

/** The same world in another process. */
export function worldAt(path: string, end: () => void = () => {}): World {
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
      const stat = durableDisk.stat(nameBytes(project))!
      const store = openStore({ data, root: { path: project, stat }, disk })
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
