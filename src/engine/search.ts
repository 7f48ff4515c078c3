import { claudeCode, type SearchHit } from '#agents'
import { Failure } from '#failure'
import { numberOf, stateOf, type FoundFile, type FoundTurn, type SearchReport } from '#timeline'
import type { Machine } from './machine.ts'
import { branchNameOf } from './read-branches.ts'
import { readSession, type ReadSession } from './read-session.ts'

/** How long one question may read what is new before it answers with what it has. */
const PATIENCE = 400
const MOST_FILES = 8

/**
 * Turns with these words in their prompt, files, commands or answer, in all branches of all
 * sessions, the best first. A machine full of sessions is taken in over several questions.
 */
export function search(
  machine: Machine,
  words: string,
  { limit, patience = PATIENCE }: { limit: number; patience?: number },
): SearchReport {
  const { claudeConfig } = machine.places
  const files = claudeCode.listSessionFiles(claudeConfig)
  const until = performance.now() + patience
  const left = machine.search.update(
    files,
    (file) => openQuietly(machine, file),
    () => performance.now() > until,
  )
  const sessions = new Map<string, ReadSession | null>()
  const sessionOf = (id: string): ReadSession | null => {
    if (!sessions.has(id)) sessions.set(id, readQuietly(machine, id))
    return sessions.get(id) ?? null
  }
  const hits = machine.search.find(words, limit)
  const turns = hits.flatMap((hit) => describe(sessionOf(hit.session), hit) ?? [])
  return { words, turns, files: filesIn(hits, words, sessionOf), sessions: files.length, left }
}

function openQuietly(machine: Machine, file: Parameters<typeof claudeCode.openSession>[1]) {
  try {
    return claudeCode.openSession(machine.places.claudeConfig, file, machine.index)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** A session that is gone, or that somebody deleted, is found by nobody. */
function readQuietly(machine: Machine, session: string): ReadSession | null {
  try {
    return readSession(machine, { session, project: null })
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
  const { start, end } = claudeCode.MARKS
  return excerpt.split(start).flatMap((piece, at) => {
    if (at === 0) return piece === '' ? [] : [{ text: piece, hit: false }]
    const [hit = '', rest = ''] = piece.split(end)
    return [{ text: hit, hit: true }, ...(rest === '' ? [] : [{ text: rest, hit: false }])]
  })
}

/** The files whose own name has the words, with how many of the found turns changed them. */
function filesIn(
  hits: readonly SearchHit[],
  words: string,
  sessionOf: (id: string) => ReadSession | null,
): FoundFile[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found = new Map<string, FoundFile>()
  for (const { session, turn, files } of hits) {
    const project = sessionOf(session)?.report.project ?? null
    for (const path of files) {
      if (!wanted.every((word) => path.toLowerCase().includes(word))) continue
      const key = `${project} ${path}`
      const known = found.get(key)
      if (known === undefined) found.set(key, { path, project, session, turn, turns: 1 })
      else found.set(key, { ...known, turns: known.turns + 1 })
    }
  }
  return [...found.values()].sort((a, b) => b.turns - a.turns).slice(0, MOST_FILES)
}
