import type { AgentPlaces } from '#agents'

/**
 * Where things are. The command line finds them out from the environment and hands them in;
 * nothing below it reads a variable or the home directory.
 */
export interface Places {
  /** Where each agent keeps its things. */
  readonly agents: AgentPlaces
  /** Retake's own settings. */
  readonly config: string
  readonly data: string
  readonly cache: string
  /** What is passing through: the events of hooks, until they are read. */
  readonly state: string
  /** What lives as long as a process or a login: where the server is found. */
  readonly runtime: string
  readonly home: string
  /** The words that start this program: the runtime and its script. */
  readonly self: readonly string[]
  /** The directories in which the user's programs are found. */
  readonly programs: readonly string[]
  /** Git's own files for all of the user's repositories; they need not be there. */
  readonly git: {
    readonly excludes: string
    readonly configs: readonly string[]
    readonly attributes: readonly string[]
  }
  /** The directory the user stands in. */
  readonly cwd: string
}
