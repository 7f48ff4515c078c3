import type { SessionFile } from '../../session-file.ts'
import type { SessionEvent, SessionWatch } from '../../session-source.ts'
import { projectsDirectory, registryDirectory } from '../steps/index.ts'
import { findLiveProcesses } from './registry.ts'
import { projectDirectories, sessionFilesIn } from './session-files.ts'

/** Watches transcripts by size and times, and live agents by their registry entries. */
export function watchSessions(config: string): SessionWatch {
  const [projects, registry] = [projectsDirectory(config), registryDirectory(config)]
  const known = new Map<string, Map<string, string>>()
  let live = liveNow()

  function liveNow(): Map<string, string> {
    return new Map(findLiveProcesses(config).map(({ session, status }) => [session, status]))
  }
  function read(directory: string): Map<string, string> {
    return new Map(sessionFilesIn(directory).map((file) => [file.id, identityText(file)]))
  }
  for (const directory of projectDirectories(config)) known.set(directory, read(directory))

  return {
    directories: () => [projects, registry, ...known.keys()],
    poll(directories) {
      const polled = new Set([...directories].filter((directory) => known.has(directory)))
      const before = new Map<string, string>()
      if (directories.has(projects)) {
        const there = new Set(projectDirectories(config))
        for (const directory of there) if (!known.has(directory)) polled.add(directory)
        for (const directory of known.keys()) if (!there.has(directory)) polled.add(directory)
      }
      const after = new Map<string, string>()
      for (const directory of polled) {
        for (const [id, identity] of known.get(directory) ?? []) before.set(id, identity)
        const now = read(directory)
        for (const [id, identity] of now) after.set(id, identity)
        known.set(directory, now)
      }
      const changes = compare(before, after)
      if (!directories.has(registry)) return changes
      const [was, is] = [live, liveNow()]
      live = is
      const turned = [...new Set([...was.keys(), ...is.keys()])].filter(
        (session) => was.get(session) !== is.get(session),
      )
      return [
        ...changes,
        ...turned.map((session): SessionEvent => ({
          kind: is.has(session) ? 'session-updated' : 'session-left',
          session,
        })),
      ]
    },
  }
}

function compare(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): SessionEvent[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((session): SessionEvent[] => {
    const [was, is] = [before.get(session), after.get(session)]
    if (was === is) return []
    if (was === undefined) return [{ kind: 'session-created', session }]
    return [{ kind: is === undefined ? 'session-removed' : 'session-updated', session }]
  })
}

function identityText({ path, identity: { inode, size, modified } }: SessionFile): string {
  return `${path}:${inode}:${size}:${modified}`
}
