import { makePrivateDirectory, nameBytes, pinRoot, type Stat } from '#disk'
import { Failure, add, remedy, command } from '#failure'
import { listProjects, openStore, unfinishedOperations } from '#store'
import { openRecordedAnnexes } from './annexes.ts'
import { inWords, projectRoot, recordRootOf, type Machine } from '../ground/index.ts'
import type { Project } from './project.ts'

/** Opens the project of a session's start directory. Null fails like a directory that is gone. */
export function openProject(machine: Machine, start: string | null): Project {
  const { disk } = machine
  const path = start === null ? null : projectRoot(machine, start)
  const stat = path === null ? null : disk.stat(nameBytes(path))
  if (start === null || path === null || stat?.kind !== 'directory') throw projectMissing(start)
  try {
    recordRootOf(machine, start, path)
    const project = open(machine, path, stat)
    openRecordedAnnexes(machine, project)
    return project
  } catch (error) {
    throw inWords(error)
  }
}

export function projectMissing(path: string | null): Failure {
  return new Failure(
    'project-missing',
    `The project ${path ?? 'of this session'} does not exist.`,
    {
      hint:
        path === null
          ? remedy`${add('only', 'chat')} to move only the conversation.`
          : remedy`${add('only', 'chat')} to move only the conversation. If the directory was moved, ${command('project move', [path, 'NEW'])}.`,
    },
  )
}

/**
 * A project whose directory is gone: its sessions can still be renamed, hidden, and moved without
 * files. Its root is an empty directory of Retake's, so that no file is read or written by mistake.
 */
export function openProjectOrGone(machine: Machine, start: string | null): Project {
  const { disk } = machine
  const path = start === null ? null : projectRoot(machine, start)
  if (path === null || disk.stat(nameBytes(path))?.kind === 'directory')
    return openProject(machine, start)
  const { data } = machine.places
  try {
    const known = listProjects(disk, data).findLast((project) => project.path === path)
    const empty = makePrivateDirectory(disk, data, ['gone'])
    const stat = disk.stat(nameBytes(empty))!
    const was = {
      device: toBig(known?.device),
      inode: toBig(known?.inode),
      born: toBig(known?.born),
    }
    const store = openStore({ data, disk, root: { path, stat: { ...stat, ...was } } })
    const root = pinRoot(disk, empty, { never: [store.identity] })
    const close = (): void => {
      root.close()
      store.close()
    }
    // Recovery needs the directory to find out how far the operation got.
    if (unfinishedOperations(store).length > 0) {
      close()
      throw projectMissing(path)
    }
    return { path, root, store, gone: true, [Symbol.dispose]: close }
  } catch (error) {
    throw inWords(error)
  }
}

function toBig(text: string | undefined): bigint {
  return /^\d+$/.test(text ?? '') ? BigInt(text!) : 0n
}

function open(machine: Machine, path: string, stat: Stat): Project {
  const { disk } = machine
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
