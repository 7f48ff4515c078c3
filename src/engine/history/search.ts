import { MARKS, type SearchHit, type SessionFile } from '#agents'
import { Failure } from '#failure'
import { numberOf, stateOf, type FoundFile, type FoundTurn, type SearchReport } from '#timeline'
import { listSessionFiles, type Machine, openSessionFile } from '../ground/index.ts'
import { branchNameOf, openFound, readFound, type ReadSession } from '../session/index.ts'

const MAX_FILES = 8

/** Lets the caller interrupt indexing: the first search reads all sessions and takes a while. */
export interface IndexOptions {
  /** Called now and then with the number of sessions left; returns true to stop. */
  readonly enough: (left: number) => boolean
}

/** Indexes what is new in all sessions. Returns how many sessions are left. */
export function indexSessions(machine: Machine, { enough }: IndexOptions): number {
  const files = listSessionFiles(machine)
  return machine.search.update(files, (file) => openQuietly(machine, file), enough)
}

export interface SearchOptions {
  readonly limit: number
  /** Milliseconds to index what is new before searching; null if that happens elsewhere. */
  readonly maxMs: number | null
  /** Ids of the sessions to search; by default all sessions of the machine. */
  readonly within?: readonly string[]
}

/**
 * Turns with these words in their prompt, files, commands or answer, on all branches, best match
 * first. Searches only what is indexed, and reports how many sessions are left.
 */
export function search(
  machine: Machine,
  words: string,
  { limit, maxMs, within }: SearchOptions,
): SearchReport {
  const files = listSessionFiles(machine)
  const until = performance.now() + (maxMs ?? 0)
  const left =
    maxMs === null
      ? machine.search.behind(files)
      : machine.search.update(
          files,
          (file) => openQuietly(machine, file),
          () => performance.now() > until,
        )
  const sessions = openSessions(machine, files)
  const found = machine.search.find(words, limit, within).flatMap((hit) => {
    const turn = describe(sessions(hit.session), hit)
    return turn === null ? [] : [{ hit, turn }]
  })
  const turns = found.map(({ turn }) => turn)
  return { words, turns, files: filesIn(found, words), sessions: files.length, left }
}

function openQuietly(machine: Machine, file: SessionFile) {
  try {
    return openSessionFile(machine, file, { isOneOfMany: true })
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

type Sessions = (id: string) => ReadSession | null

/** Opens each session once. Missing and deleted sessions are left out. */
function openSessions(machine: Machine, files: readonly SessionFile[]): Sessions {
  const byId = new Map<string, SessionFile>()
  // If two files have the same id, take the first, as a lookup by id does.
  for (const file of files) if (!byId.has(file.id)) byId.set(file.id, file)
  const opened = new Map<string, ReadSession | null>()
  return (id) => {
    const file = byId.get(id)
    if (!opened.has(id)) opened.set(id, file === undefined ? null : readQuietly(machine, file))
    return opened.get(id) ?? null
  }
}

function readQuietly(machine: Machine, file: SessionFile): ReadSession | null {
  try {
    const session = readFound(machine, openFound(machine, file))
    return session.report.deleted ? null : session
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

function describe(session: ReadSession | null, hit: SearchHit): FoundTurn | null {
  const turn = session?.tree.turns.get(hit.turn)
  if (session === null || turn === undefined || session.tree.deleted.has(hit.turn)) return null
  return {
    session: session.report.id,
    title: session.report.title,
    project: session.report.project,
    turn: { id: hit.turn, number: numberOf(session.tree, hit.turn) },
    state: stateOf(session.tree, hit.turn),
    branch: branchNameOf(session.tree, hit.turn),
    prompt: turn.prompt,
    at: turn.at,
    field: hit.field,
    excerpt: partsOf(hit.excerpt),
  }
}

function partsOf(excerpt: string): FoundTurn['excerpt'] {
  const { start, end } = MARKS
  return excerpt.split(start).flatMap((piece, at) => {
    if (at === 0) return piece === '' ? [] : [{ text: piece, hit: false }]
    const [hit = '', rest = ''] = piece.split(end)
    return [{ text: hit, hit: true }, ...(rest === '' ? [] : [{ text: rest, hit: false }])]
  })
}

/** The files whose path contains the words, with how many of the found turns changed them. */
function filesIn(
  found: readonly { readonly hit: SearchHit; readonly turn: FoundTurn }[],
  words: string,
): FoundFile[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const files = new Map<string, FoundFile>()
  for (const { hit, turn } of found) {
    const { session, project } = turn
    for (const path of hit.files) {
      if (!wanted.every((word) => path.toLowerCase().includes(word))) continue
      const key = `${project} ${path}`
      const known = files.get(key)
      if (known === undefined) files.set(key, { path, project, session, turn: hit.turn, turns: 1 })
      else files.set(key, { ...known, turns: known.turns + 1 })
    }
  }
  return [...files.values()].sort((a, b) => b.turns - a.turns).slice(0, MAX_FILES)
}
