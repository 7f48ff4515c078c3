import { claudeCode, type HookScope, type HooksPlan, type HookSource } from '#agents'
import {
  durableDisk,
  errnoOf,
  listDirectory,
  nameBytes,
  removeIfThere,
  statPath,
  writeOnce,
} from '#disk'
import { dropClaims } from './claim-event.ts'
import type { Machine, Places } from '../ground/index.ts'

export interface InstallPlan {
  readonly change: HooksPlan
  /** Where hooks leave their events. */
  readonly spool: string
  /** Claude Code has the plugin switched on: it brings the same hooks. */
  readonly plugin: boolean
  /** Every place that has the hooks now. */
  readonly sources: readonly HookSource[]
  apply(): void
}

export function planHooks(
  { places }: Machine,
  { scope, project }: { scope: HookScope; project: string },
): InstallPlan {
  const where = { config: places.claudeConfig, project }
  const change = claudeCode.planInstall(durableDisk, where, scope)
  const plugin = claudeCode.hasPlugin(where, 'user') || claudeCode.hasPlugin(where, scope)
  return {
    change: plugin ? { ...change, change: 'none' } : change,
    spool: claudeCode.spoolDirectory(places.state),
    plugin,
    sources: claudeCode.hookSources(where.config, project),
    apply() {
      // The spool first: hooks do nothing without it.
      claudeCode.prepareSpool(durableDisk, places.state)
      for (const name of SCRIPTS) writeScript(places, name)
      if (!plugin) change.apply()
    },
  }
}

export interface UninstallPlan {
  readonly changes: readonly HooksPlan[]
  readonly plugin: boolean
  /** What is left on the disk, to be read or removed by the user. */
  readonly stays: readonly { readonly what: 'data' | 'cache' | 'spool'; readonly path: string }[]
  apply(): void
}

/** Takes the hooks out of the user's settings and the project's, or of one of them. */
export function planHooksRemoval(
  { places }: Machine,
  { scope, project }: { scope: HookScope | null; project: string },
): UninstallPlan {
  const where = { config: places.claudeConfig, project }
  const scopes: readonly HookScope[] = scope === null ? ['user', 'project'] : [scope]
  const changes = scopes.map((each) => claudeCode.planUninstall(durableDisk, where, each))
  const spool = claudeCode.spoolDirectory(places.state)
  const known = [
    { what: 'data', path: places.data },
    { what: 'cache', path: places.cache },
    { what: 'spool', path: spool },
  ] as const
  return {
    changes,
    plugin: scopes.some((each) => claudeCode.hasPlugin(where, each)),
    stays: known.filter(({ what, path }) =>
      what === 'spool' ? listDirectory(path).length > 0 : statPath(path) !== null,
    ),
    apply() {
      for (const change of changes) change.apply()
      if (hooksInstalled(where.config, project) !== 'none') return
      removeEmpty(spool)
      for (const name of SCRIPTS) removeIfThere(durableDisk, nameBytes(`${places.state}/${name}`))
      // Whoever stays to look for hooks leaves when that file is gone; what it offers goes now.
      if (statPath(`${places.state}/looks`) !== null)
        claudeCode.openLooks(durableDisk, places.state)
      dropClaims(places.state)
      for (const name of ['pending', 'looks', 'claims']) removeEmpty(`${places.state}/${name}`)
    },
  }
}

/** What Claude Code starts Retake for: to look at the files, to answer, and for its tools. */
const SCRIPTS = ['observe', 'hook', 'mcp'] as const

/** Kilobytes of events that nobody has read. */
const MOST_KEPT = 64 * 1024

/**
 * How Claude Code starts Retake. Where Retake has moved away, only the spool's size is looked at.
 * The tools' process takes the place of the shell: it asks who its parent is.
 */
function writeScript({ state, self }: Places, name: (typeof SCRIPTS)[number]): void {
  const words = self.map(quote).join(' ')
  const spool = claudeCode.spoolDirectory(state)
  const full = quote(`${spool}/${claudeCode.FULL}`)
  const tools = `[ ! -f ${quote(self.at(-1)!)} ] || exec ${words} ${name}\n`
  const hook =
    `{ [ -f ${quote(self.at(-1)!)} ] && ${words} ${name} "$@"; } || ` +
    // Nobody reads the events any more: they must not fill the disk.
    `{ k=$(du -sk ${quote(spool)}) && [ "\${k%%[!0-9]*}" -gt ${MOST_KEPT} ] && : >${full}; }\n`
  removeIfThere(durableDisk, nameBytes(`${state}/${name}`))
  writeOnce(durableDisk, state, name, Buffer.from(name === 'mcp' ? tools : hook))
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Whose settings have the hooks. */
export function hooksInstalled(
  config: string,
  project: string,
): 'user' | 'project' | 'both' | 'none' {
  return claudeCode.hooksInstalled(config, project)
}

/** Every place that brings the hooks, the plugin included. */
export function hookSourcesOf({ places }: Machine, project: string | null): HookSource[] {
  return claudeCode.hookSources(places.claudeConfig, project ?? places.cwd)
}

/** Events that nobody has read yet keep it, and moves that are pending. */
function removeEmpty(directory: string): void {
  try {
    durableDisk.removeDirectory(nameBytes(directory))
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error
  }
}
