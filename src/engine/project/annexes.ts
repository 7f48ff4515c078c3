import {
  type Disk,
  errnoOf,
  isSameFile,
  nameBytes,
  pinRoot,
  realPathOf,
  type PinnedRoot,
} from '#disk'
import { Failure } from '#failure'
import { refuseScope } from '#snapshots'
import { getSessionFact, putSessionFact, write } from '#store'
import { ownDirectories, type Machine } from '../ground/index.ts'
import type { Project } from './project.ts'

// Stands in for a session id: these facts belong to the project.
const PROJECT = '*'
const FACT = 'annexes'

/**
 * Opens every directory that operations may have written to, agreed to or not: recovery after a
 * crash needs them.
 */
export function openRecordedAnnexes(machine: Machine, project: Project): void {
  const recorded = (getSessionFact(project.store, PROJECT, FACT) ?? []) as string[]
  openAnnexes(machine, project, recorded)
}

export function openAnnexes(
  machine: Machine,
  project: Project,
  directories: readonly string[],
): void {
  const { root, store } = project
  // A long-lived process must not keep using a directory that was replaced.
  for (const [i, annex] of [...root.annexes.entries()].toReversed())
    if (!isSameFile(machine.disk.stat(nameBytes(annex.path)), annex.stat))
      root.annexes.splice(i, 1)[0]!.close()
  const open = new Set(root.annexes.map(({ path }) => path))
  const missing = directories.filter((path) => !open.has(path))
  for (const path of missing) {
    if (machine.disk.stat(nameBytes(path))?.kind !== 'directory') continue
    const annex = tryPin(machine.disk, path, neverEntered(machine, project))
    if (annex !== null) root.annexes.push(annex)
  }
  const recorded = (getSessionFact(store, PROJECT, FACT) ?? []) as string[]
  const fresh = missing.filter((path) => !recorded.includes(path))
  if (fresh.length > 0)
    write(store, () => putSessionFact(store, PROJECT, FACT, [...recorded, ...fresh]))
}

/** Null if the directory cannot be read: its changes are listed and left alone. */
function tryPin(disk: Disk, path: string, never: PinnedRoot['never']): PinnedRoot | null {
  try {
    return pinRoot(disk, path, { never })
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return null
  }
}

/**
 * The project is opened separately, and transcripts and Retake's own files are never written as
 * plain files.
 */
function neverEntered(machine: Machine, { root, store }: Project) {
  const own = ownDirectories(machine).flatMap(
    (path) => machine.disk.stat(nameBytes(`${path}/.`)) ?? [],
  )
  return [root.stat, store.identity, ...own]
}

/** System directories, with everything below them. */
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr|var|System|Library|Applications|private\/(?:etc|var))(?:\/|$)/

/** The real paths of those directories that are outside the project and may be opened. */
export function usableDirectories(
  machine: Machine,
  { path: root }: Pick<Project, 'path'>,
  paths: readonly string[],
): string[] {
  return [...new Set(paths.map((path) => realPathOf(`${path}/.`)))].filter(
    (path) => !isIn(root, path) && whyRefused(machine, path) === null,
  )
}

/** Refuses home directories and their parents, system directories, Retake's and the agent's own. */
export function whyRefused(machine: Machine, path: string): Failure | null {
  const refused = (why: string): Failure =>
    new Failure('scope-refused', `${path} ${why}.`, { hint: 'Name the directory of one project.' })
  const stat = machine.disk.stat(nameBytes(path))
  if (stat?.kind !== 'directory') return refused('is not a directory')
  if (path.lastIndexOf('/') === 0 || SYSTEM.test(path)) return refused('belongs to the system')
  if (ownDirectories(machine).some((own) => isIn(own, path))) {
    const owners = ['Retake', ...machine.agents.map(({ words }) => words.name)]
    return refused(`belongs to ${owners.join(' or ')}`)
  }
  try {
    refuseScope({
      disk: machine.disk,
      root: { path, stat },
      home: machine.places.home,
      store: machine.places.data,
    })
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

export function isIn(directory: string, path: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}
