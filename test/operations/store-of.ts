import { durableDisk, nameBytes } from '#disk'
import { openStore, type Store } from '#store'
import { readEnvironment } from '../../src/cli/environment.ts'
import type { Scene } from '../scene.ts'

/** Opens the store of the scene's project in this process. */
export function storeOf({ env, project: path }: Scene): Store {
  const { places } = readEnvironment({ ...env }, {})
  const root = { path, stat: durableDisk.stat(nameBytes(path))! }
  return openStore({ data: places.data, root, disk: durableDisk })
}
