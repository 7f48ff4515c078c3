import { durableDisk, nameBytes, pinRoot, type PinnedRoot, type Stat } from '#disk'
import { Failure } from '#failure'
import { openStore, type Store } from '#store'
import { inWords } from './in-words.ts'
import type { Machine } from './machine.ts'

/** A project that operations can change: its root, held open, and what is remembered of it. */
export interface Project extends Disposable {
  readonly path: string
  readonly root: PinnedRoot
  readonly store: Store
}

export function openProject(machine: Machine, path: string | null): Project {
  const disk = durableDisk
  const stat = path === null ? null : disk.stat(nameBytes(path))
  if (path === null || stat?.kind !== 'directory')
    throw new Failure('project-missing', `The project ${path ?? 'of this session'} is not there.`, {
      hint: 'Its files cannot be moved without it.',
    })
  try {
    return open(machine, path, stat)
  } catch (error) {
    throw inWords(error)
  }
}

function open(machine: Machine, path: string, stat: Stat): Project {
  const disk = durableDisk
  const store = openStore({ data: machine.places.data, disk, root: { path, stat } })
  const root = pinRoot(disk, path, { never: [store.identity] })
  return {
    path,
    root,
    store,
    [Symbol.dispose]() {
      root.close()
      store.close()
    },
  }
}
