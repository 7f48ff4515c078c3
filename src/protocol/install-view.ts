import { diffTexts, type DiffHunk } from '#timeline'

/** What `retake install` did to the settings of one agent. */
export interface AgentHooksView {
  /** The id of the agent. */
  agent: string
  settings: string
  linkedTo: string | null
  change: 'added' | 'updated' | 'removed' | 'unchanged'
  created: boolean
  events: string[]
  plugin: boolean
  disabled: boolean
  /** Why the agent does not run installed hooks, and what the user can do; null if it runs them. */
  blocked: { why: 'disabled' | 'not-trusted'; says: string; cure: string } | null
  /** The diff of the settings file. */
  hunks: DiffHunk[]
}

/** The first agent's hooks, and those of the others. */
export interface InstallView extends AgentHooksView {
  schema: 'retake.install/1'
  dryRun: boolean
  scope: 'user' | 'project'
  spool: string
  others: AgentHooksView[]
}

const DONE = {
  add: 'added',
  update: 'updated',
  remove: 'removed',
  'remove-file': 'removed',
  none: 'unchanged',
} as const

export interface PlannedHooks {
  readonly agent: string
  readonly change: {
    readonly change: string
    readonly settings: string
    readonly linkedTo: string | null
    readonly creates: boolean
    readonly events: readonly string[]
    readonly disabled: boolean
    readonly before: string | null
    readonly after: string | null
  }
  readonly plugin: boolean
  readonly blockedBy: () => AgentHooksView['blocked']
}

export function installView(
  { agents, spool }: { readonly agents: readonly PlannedHooks[]; readonly spool: string },
  { scope, dryRun }: { scope: InstallView['scope']; dryRun: boolean },
): InstallView {
  const [first, ...others] = agents.map(hooksView)
  return { schema: 'retake.install/1', dryRun, scope, spool, ...first!, others }
}

function hooksView({ agent, change, plugin, blockedBy }: PlannedHooks): AgentHooksView {
  return {
    agent,
    settings: change.settings,
    linkedTo: change.linkedTo,
    change: DONE[change.change as keyof typeof DONE] ?? 'unchanged',
    created: change.creates,
    events: [...change.events],
    plugin,
    disabled: change.disabled,
    blocked: blockedBy(),
    hunks: change.change === 'none' ? [] : diffTexts(change.before ?? '', change.after ?? ''),
  }
}
