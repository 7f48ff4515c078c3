import type { Disk } from '#disk'

export type HookScope = 'user' | 'project'

/** A place that brings our hooks. The agent runs the hooks of each of them. */
export type HookSource = 'user' | 'project' | 'local' | 'plugin'

/** A change of one settings file, computed without touching it. */
export interface HooksPlan {
  readonly scope: HookScope
  readonly settings: string
  /** Set when the settings are a link: the file that really changes. */
  readonly linkedTo: string | null
  readonly change: 'add' | 'update' | 'remove' | 'remove-file' | 'none'
  /** The settings file is made by this change. */
  readonly creates: boolean
  readonly events: readonly string[]
  /** The settings say that no hooks run at all. */
  readonly disabled: boolean
  /** What the settings say now and after the change; null: no file. */
  readonly before: string | null
  readonly after: string | null
  apply(): void
}

/** How the agent tells Retake what it does: hooks in its settings, or a plugin. */
export interface Capture {
  planInstall(disk: Disk, project: string, scope: HookScope): HooksPlan
  planUninstall(disk: Disk, project: string, scope: HookScope): HooksPlan
  /** Every place that brings the hooks, the plugin included. */
  sources(project: string): HookSource[]
  /** Whose settings have the hooks. */
  installed(project: string): 'user' | 'project' | 'both' | 'none'
  /** Whether the settings say that no hooks run at all. */
  isDisabled(project: string): boolean
  hasPlugin(project: string, scope: HookScope): boolean
}
