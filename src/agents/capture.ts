import type { Disk } from '#disk'

export type HookScope = 'user' | 'project'

/** A place that configures Retake's hooks. The agent runs the hooks of each. */
export type HookSource = 'user' | 'project' | 'local' | 'plugin'

/** A change of one settings file, computed without changing it. */
export interface HooksPlan {
  readonly scope: HookScope
  readonly settings: string
  /** Set if the settings file is a symlink: the file that is changed. */
  readonly linkedTo: string | null
  readonly change: 'add' | 'update' | 'remove' | 'remove-file' | 'none'
  /** Whether this change creates the settings file. */
  readonly creates: boolean
  readonly events: readonly string[]
  /** The settings disable all hooks. */
  readonly disabled: boolean
  /** The text of the settings before and after the change; null if there is no file. */
  readonly before: string | null
  readonly after: string | null
  apply(): void
}

/** Why the agent does not run hooks that are installed, and what the user can do about it. */
export interface HooksBlock {
  readonly why: 'disabled' | 'not-trusted'
  readonly says: string
  readonly cure: string
}

/** How the agent reports to Retake what it does: hooks in its settings, or a plugin. */
export interface Capture {
  planInstall(disk: Disk, project: string, scope: HookScope): HooksPlan
  planUninstall(disk: Disk, project: string, scope: HookScope): HooksPlan
  /** Every place that configures the hooks, including the plugin. */
  sources(project: string): HookSource[]
  /** Which settings contain the hooks. */
  installed(project: string): 'user' | 'project' | 'both' | 'none'
  /** Why installed hooks do not run; null if they do. */
  blockedBy(project: string): HooksBlock | null
  hasPlugin(project: string, scope: HookScope): boolean
  /** What a prompt's hook prints to keep the prompt from the model and show this instead. */
  blockPrompt(reason: string): object
  /** The agent keeps the session open until its SessionEnd hook has ended, which does not wait. */
  readonly leavesAfterHook: boolean
}
