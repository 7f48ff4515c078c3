import type { Cache, CacheFormat } from '#store'
import type { OpenSession } from './open-session.ts'
import type { Belonging, SessionFile, SessionSummary } from './session-file.ts'

export interface SessionSource {
  /** All sessions on the machine, or those whose working directory may be one of `directories`. */
  list(directories?: readonly string[]): SessionFile[]
  /** Those whose working directory may be a directory or lie below it. */
  listBelow(directory: string): SessionFile[]
  /** Null when there is none of that id. */
  find(id: string): SessionFile | null
  /** A project and the directories whose sessions the agent shows together with its own. */
  related(project: string): string[]
  /** Whether an id of this agent can begin so. */
  canBeginWith(text: string): boolean
  /** An id for a new session, as the agent writes them. */
  idFrom(uuid: string): string
  /** Everything to keep a copy of. */
  belongings(file: SessionFile): Belonging[]
  /** Where the same file of another session lies. */
  pathInSession(path: string, from: string, to: string): string
  /** Directories in which something happens when a session begins, grows or ends. */
  watch(): SessionWatch
  /** The added directories of a session, without opening it: hooks have no time for that. */
  addedSince(session: string, from: AddedReading): AddedReading
  /** What is known of sessions without reading them again. */
  readonly cacheName: string
  readonly indexFormat: CacheFormat
  openIndex(cache: Cache | null): SessionIndex
}

/** How far a session was read for the directories that the user added, and which they are. */
export interface AddedReading {
  readonly transcript: string | null
  readonly end: number
  readonly directories: readonly string[]
}

export interface SessionWatch {
  /** Whose changes tell of sessions. */
  directories(): string[]
  /** What changed in these directories since the last look. */
  look(directories: ReadonlySet<string>): SessionEvent[]
}

/** `left`: no process has the session open any more. */
export interface SessionEvent {
  readonly kind: 'session-created' | 'session-updated' | 'session-removed' | 'session-left'
  readonly session: string
}

export interface SessionIndex {
  /** Complete where the file is known or cheap to read; otherwise what its two ends tell. */
  summaries(files: readonly SessionFile[]): SessionSummary[]
  open(file: SessionFile): OpenSession
}
