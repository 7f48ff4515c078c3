import type { Cache, CacheFormat } from '#store'
import type { OpenSession } from './open-session.ts'
import type { Belonging, SessionFile, SessionSummary } from './session-file.ts'

export interface SessionSource {
  /** All sessions on the machine, or those whose working directory may be one of `directories`. */
  list(directories?: readonly string[]): SessionFile[]
  /** Sessions whose working directory may be this directory or below it. */
  listBelow(directory: string): SessionFile[]
  /** Null if there is none with that id. */
  find(id: string): SessionFile | null
  /** A project and the directories whose sessions the agent lists together with its own. */
  related(project: string): string[]
  /** Whether a session id of this agent can start with this text. */
  canBeginWith(text: string): boolean
  /** An id for a new session, in the agent's format. */
  idFrom(uuid: string): string
  /**
   * The id under which a lost session is written back: a new one, or its own if the agent has it in
   * the files.
   */
  rescuedId(id: string, uuid: string): string
  /** Every file of a session that Retake keeps copies of. */
  belongings(file: SessionFile): Belonging[]
  /** Whether the agent has the content of a missing file elsewhere, as after archiving a session. */
  hasElsewhere(path: string): boolean
  /** The path of the same file in another session. */
  pathInSession(path: string, from: string, to: string): string
  /** Watches for sessions that begin, change or end. */
  watch(): SessionWatch
  /** The added directories of a session, without opening it, because hooks are short of time. */
  addedSince(session: string, from: AddedReading): AddedReading
  /** The cache of what was read of sessions. */
  readonly cacheName: string
  readonly indexFormat: CacheFormat
  openIndex(cache: Cache | null): SessionIndex
}

/** How far a session was read for added directories, and which were found. */
export interface AddedReading {
  readonly transcript: string | null
  readonly end: number
  readonly directories: readonly string[]
}

export interface SessionWatch {
  /** The directories whose changes concern sessions. */
  directories(): string[]
  /** What changed in these directories since the last call. */
  poll(directories: ReadonlySet<string>): SessionEvent[]
}

/** `session-left`: no process has the session open any more. */
export interface SessionEvent {
  readonly kind: 'session-created' | 'session-updated' | 'session-removed' | 'session-left'
  readonly session: string
}

export interface OpenOptions {
  /** All sessions are read: most are never opened again, so small ones are not cached. */
  readonly isOneOfMany?: boolean
}

export interface SessionIndex {
  /** Complete if the file is known or cheap to read; otherwise from both ends of the file. */
  summaries(files: readonly SessionFile[]): SessionSummary[]
  open(file: SessionFile, options?: OpenOptions): OpenSession
}
