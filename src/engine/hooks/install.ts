import { Failure } from '#failure'
import {
  type Agent,
  type AgentName,
  type Capture,
  FULL,
  type HookScope,
  type HooksBlock,
  type HookSource,
  type HooksPlan,
  joinScanRequests,
  openScanRequests,
  prepareSpool,
  spoolDirectory,
} from '#agents'
import { type Disk, errnoOf, nameBytes, removeIfExists, statPath, writeOnce } from '#disk'
import { dropClaims } from './claim-event.ts'
import { EMPTIED, findLeftovers, SCRIPTS, type Leftover } from './leftovers.ts'
import type { Machine, Places } from '../ground/index.ts'

/** The hooks of one agent. */
export interface AgentHooksPlan {
  readonly agent: AgentName
  readonly change: HooksPlan
  /** The agent has the plugin enabled, which brings the same hooks. */
  readonly plugin: boolean
  /** Every place that the hooks are installed in now. */
  readonly sources: readonly HookSource[]
  /** Why the agent does not run installed hooks, as things are now. */
  readonly blockedBy: () => HooksBlock | null
}

export interface InstallPlan {
  /** One per agent that is used on this machine. */
  readonly agents: readonly AgentHooksPlan[]
  /** Where hooks write their events. */
  readonly spool: string
  apply(): void
}

interface Capturing extends Agent {
  readonly capture: Capture
}

/** The agents whose hooks are installed and removed: those that have a directory here. */
function capturing({ agents }: Machine): readonly Capturing[] {
  const able = agents.filter((agent): agent is Capturing => agent.capture !== null)
  if (able.length === 0)
    throw new Failure('agent-unknown', 'No agent on this machine supports hooks.', {
      hint: 'Undo still covers the edits that the agent records.',
    })
  const used = able.filter(({ directories }) =>
    directories.some(({ path }) => statPath(path) !== null),
  )
  // Before the first start of an agent, hooks can be installed for the first one only.
  return used.length > 0 ? used : able.slice(0, 1)
}

export function planHooks(
  machine: Machine,
  { scope, project }: { scope: HookScope; project: string },
): InstallPlan {
  const { places, disk } = machine
  const agents = capturing(machine).map(({ name, capture }): AgentHooksPlan => {
    const change = capture.planInstall(disk, project, scope)
    const plugin = capture.hasPlugin(project, 'user') || capture.hasPlugin(project, scope)
    return {
      agent: name,
      change: plugin ? { ...change, change: 'none', apply: () => {} } : change,
      plugin,
      sources: capture.sources(project),
      blockedBy: () => capture.blockedBy(project),
    }
  })
  return {
    agents,
    spool: spoolDirectory(places.state),
    apply() {
      // The spool first: hooks do nothing without it.
      prepareSpool(disk, places.state)
      joinScanRequests(disk, places.state)
      for (const name of SCRIPTS) writeScript(disk, places, name)
      for (const { change } of agents) change.apply()
    },
  }
}

export interface UninstallPlan {
  readonly changes: readonly (HooksPlan & { readonly agent: AgentName })[]
  /** The agents whose plugin stays enabled. */
  readonly plugins: readonly AgentName[]
  /** What stays on disk for the user to read or remove. */
  readonly stays: readonly Leftover[]
  apply(): void
}

/** Removes the hooks from the user's settings, the project's, or both. */
export function planHooksRemoval(
  machine: Machine,
  { scope, project }: { scope: HookScope | null; project: string },
): UninstallPlan {
  const { places } = machine
  const all = capturing(machine)
  const scopes: readonly HookScope[] = scope === null ? ['user', 'project'] : [scope]
  const changes = all.flatMap(({ name: agent, capture }) =>
    scopes.map((each) => ({ ...capture.planUninstall(machine.disk, project, each), agent })),
  )
  const spool = spoolDirectory(places.state)
  return {
    changes,
    plugins: all.flatMap(({ name, capture }) =>
      scopes.some((each) => capture.hasPlugin(project, each)) ? [name] : [],
    ),
    stays: findLeftovers(places),
    apply() {
      for (const change of changes) change.apply()
      if (all.some(({ capture }) => capture.installed(project) !== 'none')) return
      removeEmpty(machine.disk, spool)
      for (const name of SCRIPTS) removeIfExists(machine.disk, nameBytes(`${places.state}/${name}`))
      // A process in `stayToScan` exits once its script is gone. Withdraw its offers now.
      if (statPath(`${places.state}/looks`) !== null) openScanRequests(machine.disk, places.state)
      dropClaims(machine.disk, places.state)
      for (const name of EMPTIED) removeEmpty(machine.disk, `${places.state}/${name}`)
      removeEmpty(machine.disk, places.state)
    },
  }
}

/** The limit for unread events, in kilobytes. */
const MAX_KEPT = 64 * 1024

/**
 * The script with which an agent starts Retake. If Retake was moved away, it only checks the
 * spool's size. The MCP process replaces the shell, because it looks up its parent process.
 */
function writeScript(disk: Disk, { state, self }: Places, name: (typeof SCRIPTS)[number]): void {
  const words = self.map(quote).join(' ')
  const spool = spoolDirectory(state)
  const full = quote(`${spool}/${FULL}`)
  const tools = `[ ! -f ${quote(self.at(-1)!)} ] || exec ${words} ${name}\n`
  const hook =
    `{ [ -f ${quote(self.at(-1)!)} ] && ${words} ${name} "$@"; } || ` +
    // Without Retake the events stay unread: they must not fill the disk.
    `{ k=$(du -sk ${quote(spool)}) && [ "\${k%%[!0-9]*}" -gt ${MAX_KEPT} ] && : >${full}; }\n`
  removeIfExists(disk, nameBytes(`${state}/${name}`))
  writeOnce(disk, state, name, Buffer.from(name === 'mcp' ? tools : hook))
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Which settings contain the hooks. */
export function hooksInstalled(
  { capture }: Pick<Agent, 'capture'>,
  project: string,
): 'user' | 'project' | 'both' | 'none' {
  return capture?.installed(project) ?? 'none'
}

/** The same for any agent, when no session says which one is meant. */
export function anyHooksInstalled(
  machine: Machine,
  project: string,
): 'user' | 'project' | 'both' | 'none' {
  const each = machine.agents.map((agent) => hooksInstalled(agent, project))
  return each.find((where) => where !== 'none') ?? 'none'
}

/** Every place that the hooks are installed in, including the plugin. */
export function hookSourcesOf(machine: Machine, project: string | null): HookSource[] {
  const sources = machine.agents.flatMap(
    ({ capture }) => capture?.sources(project ?? machine.places.cwd) ?? [],
  )
  return [...new Set(sources)]
}

/** Keeps a directory that still has unread events or pending moves. */
function removeEmpty(disk: Disk, directory: string): void {
  try {
    disk.removeDirectory(nameBytes(directory))
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error
  }
}
