import type { AgentPlaces } from '#agents'
import type { UserGit } from '#snapshots'

/**
 * The paths that Retake uses. The command line derives them from the environment and passes them
 * in; code below it reads neither variables nor the home directory.
 */
export interface Places {
  /** Where each agent stores its files. */
  readonly agents: AgentPlaces
  /** Retake's own settings. */
  readonly config: string
  readonly data: string
  readonly cache: string
  /** Transient data: the events of hooks, until they are read. */
  readonly state: string
  /** Data that lives as long as a process or a login: the record of the running server. */
  readonly runtime: string
  readonly home: string
  /** The command that starts this program: the runtime and its script. */
  readonly self: readonly string[]
  /** The directories to search for the user's programs. */
  readonly programs: readonly string[]
  /** Git's user-wide files; any of them may be missing. */
  readonly git: {
    readonly excludes: string
    readonly configs: readonly string[]
    readonly attributes: readonly string[]
  }
  /** The user's working directory. */
  readonly cwd: string
}

/** Git's own settings of the user, for reading ignore files. */
export function userGit({ places: { git, home } }: { readonly places: Places }): UserGit {
  return { excludes: git.excludes, configs: git.configs, home }
}
