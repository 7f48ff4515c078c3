import { durableDisk, nameBytes, pinRoot, type PinnedRoot, type Stat } from '#disk'
import { Failure } from '#failure'
import { openStore, type Store } from '#store'
import { inWords } from './in-words.ts'
import type { Machine } from './machine.ts'
import { projectRoot, recordRootOf } from './project-root.ts'

/** A project that operations can change: its root, held open, and what is remembered of it. */
export interface Project extends Disposable {
  /** The root, which may lie above the directory that a session started in. */
  readonly path: string
  readonly root: PinnedRoot
  readonly store: Store
}

/** The project of a directory that a session started in; null fails like one that is gone. */
export function openProject(machine: Machine, start: string | null): Project {
  const disk = durableDisk
  const path = start === null ? null : projectRoot(machine, start)
  const stat = path === null ? null : disk.stat(nameBytes(path))
  if (start === null || path === null || stat?.kind !== 'directory')
    throw new Failure(
      'project-missing',
      `The project ${start ?? 'of this session'} is not there.`,
      {
        hint: 'Its files cannot be moved without it.',
      },
    )
  try {
    recordRootOf(machine, start, path)
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
