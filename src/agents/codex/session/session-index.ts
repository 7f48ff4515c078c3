import { crc32 } from 'node:zlib'
import { all, one, run, transact, type Cache, type CacheFormat, type Database } from '#store'
import type { SessionSummary } from '../../session-file.ts'
import { readRollout, type Rollout } from '../rows/index.ts'
import type { CodexSession } from './codex-session.ts'
import { glance } from './glance.ts'
import { keepRollout, loadRollout } from './kept-rollout.ts'
import { openSession } from './session.ts'
import { identityText, readShelf, type CodexFile, type Shelf } from './shelf.ts'

/** Caches summaries and outlines of rollouts. It can be deleted at any time. */
export const indexFormat: CacheFormat = {
  version: 2,
  schema: `
    create table files (
      id text primary key, identity text not null, sum integer not null, summary text not null
    ) strict, without rowid;
    create table rollouts (path text primary key, sum integer not null, data blob not null) strict;
  `,
}

export interface CodexIndex {
  summaries(files: readonly CodexFile[]): SessionSummary[]
  open(file: CodexFile): CodexSession
}

/** How many bytes listing one project reads: newest first, the rest at a glance. */
const MAX_READ_PER_LISTING = 16 * 1024 * 1024
const MAX_FILES_OF_PROJECT = 200
/** A server is asked for the same few sessions again and again. */
const MAX_RECENT = 32

export function openSessionIndex(home: string, cache: Cache | null): CodexIndex {
  const recent = new Map<string, Rollout>()
  const readAgain = (path: string): Rollout => {
    const known = recent.get(path) ?? loadRollout(cache, path)
    const rollout = readRollout(path, known ?? undefined)
    keepRollout(cache, rollout, known)
    recent.delete(path)
    recent.set(path, rollout)
    for (const oldest of recent.keys()) if (recent.size > MAX_RECENT) recent.delete(oldest)
    return rollout
  }
  const read = (path: string): Rollout | null => {
    try {
      return readAgain(path)
    } catch {
      return null
    }
  }
  const openIn = (file: CodexFile, shelf: Shelf): CodexSession =>
    openSession(file, shelf, { read, current: readAgain(file.path) })
  return {
    open: (file) => openIn(file, readShelf(home)),
    summaries(files) {
      if (files.length === 0) return []
      const known = cache?.attempt((database) => keptSummaries(database, files))
      const fresh: { id: string; identity: string; summary: SessionSummary }[] = []
      let budget = files.length <= MAX_FILES_OF_PROJECT ? MAX_READ_PER_LISTING : 0
      let shelf: Shelf | null = null
      const found = new Map<CodexFile, SessionSummary>()
      for (const file of budget === 0 ? files : files.toSorted(byAge)) {
        const identity = identityText(file)
        const same = parseSummary(file, identity, known?.get(file.id))
        const isNew = same === null || (same.counted === null && file.identity.size <= budget)
        const summary = isNew ? summaryOf(file, budget, () => openIn(file, (shelf ??= readShelf(home)))) : same // prettier-ignore
        if (summary === null) continue
        found.set(file, summary)
        if (!isNew) continue
        fresh.push({ id: file.id, identity, summary })
        if (summary.counted !== null) budget -= file.identity.size
      }
      if (fresh.length > 0) cache?.attempt((database) => keepSummaries(database, fresh))
      return files.flatMap((file) => found.get(file) ?? [])
    },
  }
}

function byAge(a: CodexFile, b: CodexFile): number {
  return a.identity.modified < b.identity.modified ? 1 : -1
}

/** Null if the file is gone or unreadable: the list continues without it. */
function summaryOf(
  file: CodexFile,
  budget: number,
  open: () => CodexSession,
): SessionSummary | null {
  try {
    return file.identity.size <= budget ? open().summary : glance(file)
  } catch {
    return null
  }
}

interface Kept {
  readonly identity: string
  readonly sum: number
  readonly summary: string
}

/** Null if a file changed, or if the entry is invalid. The name is not in these files. */
function parseSummary(
  file: CodexFile,
  identity: string,
  kept: Kept | undefined,
): SessionSummary | null {
  if (kept?.identity !== identity || sumOf(identity, kept.summary) !== kept.sum) return null
  try {
    const said = JSON.parse(kept.summary) as Omit<SessionSummary, 'path'>
    const title = file.name ?? said.firstPrompt
    return { ...said, path: file.path, title, givenTitle: file.name }
  } catch {
    return null
  }
}

/** Covers both: a torn page must not combine two states. */
function sumOf(identity: string, summary: string): number {
  return crc32(identity + summary)
}

function keptSummaries(database: Database, files: readonly CodexFile[]): Map<string, Kept> {
  const rows =
    files.length < 200
      ? files.map(({ id }) => one(database, 'select * from files where id = ?', id))
      : all(database, 'select * from files')
  return new Map(
    rows.flatMap((row) => (row ? [[row['id'] as string, row as unknown as Kept]] : [])),
  )
}

function keepSummaries(
  database: Database,
  fresh: readonly { id: string; identity: string; summary: SessionSummary }[],
): void {
  transact(database, () => {
    for (const { id, identity, summary } of fresh) {
      const text = JSON.stringify({ ...summary, path: undefined })
      const sql = 'insert or replace into files values (?, ?, ?, ?)'
      run(database, sql, id, identity, sumOf(identity, text), text)
    }
  })
}
