import { spoolDirectory } from '#agents'
import { listDirectory, statPath } from '#disk'
import type { Places } from '../ground/index.ts'

/** A directory of Retake that stays after the hooks are removed. */
export interface Leftover {
  readonly what: 'data' | 'cache' | 'settings' | 'spool' | 'state' | 'runtime'
  readonly path: string
}

/** What an agent starts Retake for: to scan the files, to answer hooks, and to serve MCP tools. */
export const SCRIPTS = ['observe', 'hook', 'mcp'] as const

/** Directories of the hooks. Uninstalling removes those that are empty. */
export const EMPTIED = ['pending', 'looks', 'claims', 'reopened'] as const

/** What uninstalling removes, or names by itself. */
const CLEARED: ReadonlySet<string> = new Set(['spool', 'looks', 'claims', ...SCRIPTS])

/** Every place where something of Retake stays, so that users can delete it. */
export function findLeftovers({ data, cache, config, state, runtime }: Places): Leftover[] {
  const spool = spoolDirectory(state)
  const exists = (path: string): boolean => statPath(path) !== null
  const isEmpty = (path: string): boolean => listDirectory(path).length === 0
  const isRemoved = (name: string): boolean =>
    CLEARED.has(name) || (EMPTIED.some((each) => each === name) && isEmpty(`${state}/${name}`))
  const known: readonly [Leftover['what'], string, boolean][] = [
    ['data', data, exists(data)],
    ['cache', cache, exists(cache)],
    ['settings', config, exists(config)],
    ['spool', spool, !isEmpty(spool)],
    ['state', state, listDirectory(state).some(({ name }) => !isRemoved(name))],
    // Without a runtime directory of the system, both are the same.
    ['runtime', runtime, runtime !== state && exists(runtime)],
  ]
  return known.flatMap(([what, path, stays]) => (stays ? { what, path } : []))
}
