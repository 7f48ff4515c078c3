import type { StepRunner } from '#store'
import type { Capture } from './capture.ts'
import type { Runner } from './runner.ts'
import type { AgentName } from './session-file.ts'
import type { SessionSource } from './session-source.ts'
import type { VersionRules } from './versions.ts'

/**
 * A coding agent on this machine, as the other rooms see it. A capability that it lacks is null,
 * and every surface says so.
 */
export interface Agent {
  readonly name: AgentName
  readonly words: AgentWords
  /** The agent's own directories: never undone, never part of a project. */
  readonly directories: readonly AgentDirectory[]
  readonly sessions: SessionSource
  /** Null if the agent does not report open sessions: then every session may be open. */
  live(): readonly LiveProcess[] | null
  readonly steps: StepRunner
  /**
   * Whether the agent, when it leaves a session, may write where it was, so that a move that is done
   * has to be done again.
   */
  readonly overwritesMoves: boolean
  readonly capture: Capture | null
  readonly runner: Runner | null
  readonly versions: VersionRules
}

/** Names and commands as users know them; `{session}` stands for a session's id. */
export interface AgentWords {
  readonly name: string
  /** The short name, as in “Message Claude”. */
  readonly short: string
  /** The name of the program on the PATH. */
  readonly program: string
  /** The command that continues a session. */
  readonly resume: string
  /** How to leave a session inside the agent. */
  readonly leave: string
  /** How to open another session inside the agent. */
  readonly switchTo: string
  /** How a command for Retake begins that is typed as a prompt inside the agent. */
  readonly typed: string
  /** The command that removes Retake's plugin; null if there is none. */
  readonly removePlugin: string | null
  /** The command that adds Retake's tools to the agent; null if it supports none. */
  readonly addTools: string | null
}

export interface AgentDirectory {
  /** Its name in `retake settings --json`. */
  readonly name: string
  readonly path: string
  /** The environment variable that moves it. */
  readonly variable: string
}

/** A process that has a session open. */
export interface LiveProcess {
  readonly pid: number
  readonly session: string
  readonly status: 'idle' | 'busy'
  /** Only background commands are running, such as a development server. */
  readonly runsShell: boolean
  /** A person uses it at a terminal. */
  readonly interactive: boolean
  readonly cwd: string | null
  readonly version: string | null
  /** In ms since 1970; 0 if unknown. */
  readonly startedAt: number
  /** When it became idle or busy, in ms since 1970; null if unknown. */
  readonly statusSince: number | null
}

/** The directory of each agent's own files, by the agent's name. */
export type AgentPlaces = Readonly<Record<AgentName, string>>
