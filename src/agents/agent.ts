import type { StepTaker } from '#store'
import type { Capture } from './capture.ts'
import type { Runner } from './runner.ts'
import type { AgentName } from './session-file.ts'
import type { SessionSource } from './session-source.ts'
import type { VersionRules } from './versions.ts'

/**
 * A coding agent on this machine: everything that the other rooms know of it. What it cannot do is
 * null, and every surface says so.
 */
export interface Agent {
  readonly name: AgentName
  readonly words: AgentWords
  /** Its own directories: never undone, never part of a project. */
  readonly directories: readonly AgentDirectory[]
  readonly sessions: SessionSource
  /** Null when nothing tells which sessions are open: then none can be taken for closed. */
  live(): readonly LiveProcess[] | null
  readonly steps: StepTaker
  readonly capture: Capture | null
  readonly runner: Runner | null
  readonly versions: VersionRules
}

/** How people speak of it, and what they type; `{session}` stands for a session's id. */
export interface AgentWords {
  readonly name: string
  /** As one speaks to it: “Message Claude”. */
  readonly short: string
  /** The program's name on the PATH. */
  readonly program: string
  /** The command that goes on with a session. */
  readonly resume: string
  /** How a session is left inside the agent. */
  readonly leave: string
  /** How one gets to another session inside the agent. */
  readonly switchTo: string
  /** The command that takes Retake's plugin out; null where there is none. */
  readonly removePlugin: string | null
  /** The command that gives the agent Retake's tools; null where it takes none. */
  readonly addTools: string | null
}

export interface AgentDirectory {
  /** Its name in `retake settings --json`. */
  readonly name: string
  readonly path: string
  /** The environment variable that moves it. */
  readonly variable: string
}

/** A process that has a session open now. */
export interface LiveProcess {
  readonly pid: number
  readonly session: string
  readonly status: 'idle' | 'busy'
  /** Nothing but commands in the background runs, such as a development server. */
  readonly runsShell: boolean
  /** A person sits at it. */
  readonly interactive: boolean
  readonly cwd: string | null
  readonly version: string | null
  /** In milliseconds since 1970; 0 when it does not say. */
  readonly startedAt: number
}

/** The directory in which each agent keeps its things, by its name. */
export type AgentPlaces = Readonly<Record<AgentName, string>>
