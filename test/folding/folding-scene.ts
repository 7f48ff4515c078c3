import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { scene, type Scene } from '../scene.ts'
import { mountFuse } from './on-fuse.ts'
import { realVolume } from './volume.ts'

/** A scene whose project is on a file system that folds names. */
export interface FoldingScene extends AsyncDisposable {
  readonly s: Scene
  /** A directory on that file system. The project is in it. */
  readonly mount: string
  /** The project's files as the file system stores them. */
  readonly stored: string
}

/** In the temporary directory if that folds names; else with FUSE. */
export async function foldingScene(): Promise<FoldingScene> {
  const s = await scene({ name: 'mount/project' })
  const mount = join(s.root, 'mount')
  if (realVolume() !== null)
    return {
      s,
      mount,
      stored: s.project,
      [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
    }
  const real = join(s.root, 'real')
  mkdirSync(join(real, 'project'), { recursive: true })
  const mounted = await mountFuse(real, mount)
  return {
    s,
    mount,
    stored: join(real, 'project'),
    async [Symbol.asyncDispose]() {
      await mounted[Symbol.asyncDispose]()
      await s[Symbol.asyncDispose]()
    },
  }
}
