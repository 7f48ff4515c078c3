import { identityOf, listDirectory, statPath } from '#disk'
import type { SessionEvent, SessionWatch } from '../../session-source.ts'
import { parseRolloutName } from '../rows/index.ts'
import { archivedDirectory, sessionsDirectory } from './places.ts'
import { metaOf } from './shelf.ts'

/** Watching costs a descriptor per directory: sessions of older days are found by polling. */
const MAX_WATCHED = 400
/** Year and month above the directories that hold rollouts. */
const DEPTH = 3

/**
 * Watches rollouts by size and times. A directory that does not exist is not watched, because
 * events of the one above it, such as the user's home, would delay those of other agents; each poll
 * looks for it instead.
 */
export function watchSessions(home: string): SessionWatch {
  const known = new Map<string, Map<string, string>>()
  let above = directoriesAbove(home)
  for (const directory of holders(home)) known.set(directory, read(directory))

  return {
    directories() {
      const newest = [...known.keys()].sort().slice(-MAX_WATCHED)
      return [...new Set([...above, ...newest])]
    },
    poll(directories) {
      const before = threadsIn(known)
      const polled = new Set([...directories].filter((path) => known.has(path)))
      const isNew = above.length === 0 || isMissing(known, archivedDirectory(home))
      if (isNew || above.some((path) => directories.has(path))) {
        above = directoriesAbove(home)
        const there = new Set(holders(home))
        for (const path of there) if (!known.has(path)) polled.add(path)
        for (const path of known.keys()) if (!there.has(path)) known.delete(path)
      }
      const changed = new Set<string>()
      for (const path of polled) {
        const [was, is] = [known.get(path) ?? new Map<string, string>(), read(path)]
        known.set(path, is)
        for (const file of new Set([...was.keys(), ...is.keys()]))
          if (was.get(file) !== is.get(file)) changed.add(file)
      }
      const after = threadsIn(known)
      const gone = [...before.keys()].filter((thread) => !after.has(thread))
      const touched = new Set([...changed].map(threadOf))
      return [...new Set([...gone, ...touched])].flatMap((thread) =>
        eventOf(thread, before.has(thread), after.get(thread)),
      )
    },
  }
}

/** What a subagent writes changes the session that started it. */
function eventOf(thread: string, wasThere: boolean, path: string | undefined): SessionEvent[] {
  if (path === undefined) return wasThere ? [{ kind: 'session-removed', session: thread }] : []
  const parent = metaOf(path)?.parent ?? null
  if (parent === '') return []
  if (parent !== null) return [{ kind: 'session-updated', session: parent }]
  return [{ kind: wasThere ? 'session-updated' : 'session-created', session: thread }]
}

function isMissing(known: ReadonlyMap<string, unknown>, directory: string): boolean {
  return !known.has(directory) && statPath(directory) !== null
}

/** The directories in which directories with rollouts appear. */
function directoriesAbove(home: string): string[] {
  const root = sessionsDirectory(home)
  if (statPath(root) === null) return []
  return [root, ...childrenOf(root), ...childrenOf(root).flatMap(childrenOf)]
}

function holders(home: string): string[] {
  let level = [sessionsDirectory(home)]
  for (let depth = 0; depth < DEPTH; depth++) level = level.flatMap(childrenOf)
  const archived = archivedDirectory(home)
  return statPath(archived) === null ? level : [...level, archived]
}

function childrenOf(directory: string): string[] {
  return listDirectory(directory).flatMap(({ name, kind }) =>
    kind === 'directory' ? [`${directory}/${name}`] : [],
  )
}

/** The rollouts in a directory, with what tells that one has changed. */
function read(directory: string): Map<string, string> {
  return new Map(
    listDirectory(directory).flatMap(({ name, kind }): [string, string][] => {
      const path = `${directory}/${name}`
      const stat = kind === 'file' && parseRolloutName(name) !== null ? statPath(path) : null
      if (stat === null) return []
      const { inode, size, modified } = identityOf(stat)
      return [[path, `${inode}:${size}:${modified}`]]
    }),
  )
}

/** A path of each thread. */
function threadsIn(known: ReadonlyMap<string, ReadonlyMap<string, string>>): Map<string, string> {
  return new Map(
    [...known.values()].flatMap((files) => [...files.keys()].map((path) => [threadOf(path), path])),
  )
}

function threadOf(path: string): string {
  return parseRolloutName(path.slice(path.lastIndexOf('/') + 1))!.thread
}
