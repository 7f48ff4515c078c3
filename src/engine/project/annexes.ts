import {
  durableDisk,
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

// Facts of the project itself.
const PROJECT = '*'
const FACT = 'annexes'

/** Operations may have written there: after a crash they are taken back, agreed to or not. */
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
  // A long-lived process must not go on with a directory that another one has replaced.
  for (const [i, annex] of [...root.annexes.entries()].toReversed())
    if (!isSameFile(durableDisk.stat(nameBytes(annex.path)), annex.stat))
      root.annexes.splice(i, 1)[0]!.close()
  const open = new Set(root.annexes.map(({ path }) => path))
  const missing = directories.filter((path) => !open.has(path))
  for (const path of missing) {
    if (durableDisk.stat(nameBytes(path))?.kind !== 'directory') continue
    const annex = tryPin(path, neverEntered(machine, project))
    if (annex !== null) root.annexes.push(annex)
  }
  const recorded = (getSessionFact(store, PROJECT, FACT) ?? []) as string[]
  const fresh = missing.filter((path) => !recorded.includes(path))
  if (fresh.length > 0)
    write(store, () => putSessionFact(store, PROJECT, FACT, [...recorded, ...fresh]))
}

/** Null for a directory that cannot be read: what happened in it is named and stays. */
function tryPin(path: string, never: PinnedRoot['never']): PinnedRoot | null {
  try {
    return pinRoot(durableDisk, path, { never })
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return null
  }
}

/** The project has its own way in; transcripts and Retake's files are never written as files. */
function neverEntered(machine: Machine, { root, store }: Project) {
  const own = ownDirectories(machine).flatMap(
    (path) => durableDisk.stat(nameBytes(`${path}/.`)) ?? [],
  )
  return [root.stat, store.identity, ...own]
}

/** Directories of the system, with everything below them. */
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr|var|System|Library|Applications|private\/(?:etc|var))(?:\/|$)/

/** Those of these directories, resolved, that lie outside of the project and may be opened. */
export function usableDirectories(
  machine: Machine,
  { path: root }: Pick<Project, 'path'>,
  paths: readonly string[],
): string[] {
  return [...new Set(paths.map((path) => realPathOf(`${path}/.`)))].filter(
    (path) => !isIn(root, path) && whyRefused(machine, path) === null,
  )
}

/** Never a home directory or what contains it, a directory of the system, Retake's or the agent's. */
export function whyRefused(machine: Machine, path: string): Failure | null {
  const refused = (why: string): Failure =>
    new Failure('scope-refused', `${path} ${why}.`, { hint: 'Name the directory of one project.' })
  const stat = durableDisk.stat(nameBytes(path))
  if (stat?.kind !== 'directory') return refused('is not a directory')
  if (path.lastIndexOf('/') === 0 || SYSTEM.test(path)) return refused('belongs to the system')
  if (ownDirectories(machine).some((own) => isIn(own, path))) {
    const owners = ['Retake', ...machine.agents.map(({ words }) => words.name)]
    return refused(`belongs to ${owners.join(' or ')}`)
  }
  try {
    refuseScope({
      disk: durableDisk,
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
