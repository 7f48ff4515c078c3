import { all, one, run, transact, type Cache, type CacheFormat, type Database } from '#store'
import { editsOf, stepsOf, type Moment, type Step, type Turn, type TurnId } from '#timeline'
import {
  isGrown,
  isSame,
  openMemory,
  rowOf,
  type KnownFile,
  type KnownFiles,
} from './indexed-files.ts'
import type { OpenSession } from './open-session.ts'
import type { SessionFile } from './session-file.ts'

/**
 * A full-text index of all sessions: prompts, answers, files and commands, one entry per turn. It
 * is built from the transcripts by file identity and offset, and can be deleted.
 */
export const searchFormat: CacheFormat = {
  version: 2,
  schema: `
    create table indexed (
      path text primary key, session text not null, device text not null, inode text not null,
      size integer not null, changed text not null, end integer not null,
      sample text not null
    ) strict;
    create table turn (
      id integer primary key, path text not null, turn text not null, place integer not null,
      at text, unique (path, turn)
    ) strict;
    create virtual table words using fts5 (
      prompt, files, commands, answer, tokenize = "unicode61 remove_diacritics 2"
    );
  `,
}

const COLUMNS = ['prompt', 'files', 'commands', 'answer'] as const
export type SearchField = (typeof COLUMNS)[number]

/** A turn that matches, with an excerpt. */
export interface SearchHit {
  readonly session: string
  readonly turn: TurnId
  readonly at: string | null
  readonly field: SearchField
  /** Matches are between the two marks. */
  readonly excerpt: string
  /** All files of the turn. */
  readonly files: readonly string[]
}

/** Characters that occur in no text. */
export const MARKS = { start: '\u0002', end: '\u0003' } as const

export interface SearchIndex {
  /** The number of sessions that are new or changed since they were indexed. */
  behind(files: readonly SessionFile[]): number
  /**
   * Indexes what is new, newest files first, until `enough` returns true. Returns the number of
   * sessions left. Commits in batches, so that others already find what is indexed.
   */
  update(
    files: readonly SessionFile[],
    open: (file: SessionFile) => OpenSession | null,
    enough: (left: number) => boolean,
  ): number
  /** Best matches first; limited to these sessions, if given. */
  find(words: string, limit: number, within?: readonly string[]): SearchHit[]
}

/** How much of a turn is indexed; longer texts are logs, not conversation. */
const MAX_LENGTH = { prompt: 16_000, files: 16_000, commands: 16_000, answer: 48_000 }

/** Without a cache (`null`) nothing is found; the caller reports that. */
export function openSearchIndex(cache: () => Cache | null): SearchIndex {
  const memory = openMemory()
  return {
    behind: (files) =>
      cache()?.attempt((database) => findStale(memory.read(database), files).stale.length) ?? 0,
    update(files, open, enough) {
      return (
        cache()?.attempt((database) => {
          const known = memory.read(database)
          try {
            return update(database, known, { files, open, enough })
          } catch (error) {
            memory.forget()
            throw error
          }
        }) ?? 0
      )
    },
    find(words, limit, within) {
      const query = queryOf(words)
      if (query === null) return []
      return cache()?.attempt((database) => find(database, query, limit, within)) ?? []
    },
  }
}

/**
 * All words are required, as prefixes. They are quoted, so that user input is never FTS5 syntax.
 */
function queryOf(words: string): string | null {
  const each = words.match(/[\p{L}\p{N}][^\s"]*/gu) ?? []
  if (each.length === 0) return null
  return each
    .slice(0, 12)
    .map((word) => `"${word.slice(0, 80)}"*`)
    .join(' ')
}

function find(
  database: Database,
  query: string,
  limit: number,
  within: readonly string[] | undefined,
): SearchHit[] {
  const marked = COLUMNS.map(
    (_, at) => `snippet(words, ${at}, char(2), char(3), '…', 14) as c${at}`,
  )
  const isWithin =
    within === undefined
      ? ''
      : `and rowid in (select turn.id from turn join indexed on indexed.path = turn.path
           where indexed.session in (select value from json_each(?)))`
  const rows = all(
    database,
    // Choose the best first: making excerpts for all matches would take many times as long.
    `with best as materialized (
       select rowid as id, rank from words
       where words match ? and rank match 'bm25(8, 4, 3, 1)' ${isWithin} order by rank limit ?
     )
     select indexed.session, turn.turn, turn.at, words.files, ${marked.join(', ')}
     from best join words on words.rowid = best.id join turn on turn.id = best.id
       join indexed on indexed.path = turn.path
     where words match ? order by best.rank, turn.at desc`,
    query,
    ...(within === undefined ? [] : [JSON.stringify(within)]),
    limit,
    query,
  )
  return rows.map((row) => {
    const at = COLUMNS.findIndex((_, column) => String(row[`c${column}`]).includes(MARKS.start))
    return {
      session: String(row['session']),
      turn: String(row['turn']) as TurnId,
      at: row['at'] === null ? null : String(row['at']),
      field: COLUMNS[Math.max(0, at)]!,
      excerpt: String(row[`c${Math.max(0, at)}`]),
      files: String(row['files']).split('\n').filter(Boolean),
    }
  })
}

/** In ms. How long a batch may keep others waiting for the database. */
const BATCH_MS = 250

interface UpdateWork {
  readonly files: readonly SessionFile[]
  readonly open: (file: SessionFile) => OpenSession | null
  readonly enough: (left: number) => boolean
}

function update(
  database: Database,
  known: KnownFiles,
  { files, open, enough }: UpdateWork,
): number {
  const { stale, gone } = findStale(known, files)
  if (gone.length > 0)
    transact(database, () => {
      for (const path of gone) drop(database, path)
    })
  for (const path of gone) known.delete(path)
  let done = 0
  while (done < stale.length) {
    const until = performance.now() + BATCH_MS
    const before = done
    transact(database, () => {
      do take(database, stale[done]!, open(stale[done]!), known.get(stale[done++]!.path))
      while (done < stale.length && performance.now() < until && !enough(stale.length - done))
    })
    for (const { path, identity } of stale.slice(before, done)) known.set(path, rowOf(identity))
    // Checked after at least one file; otherwise a slow machine would make no progress.
    if (enough(stale.length - done)) break
  }
  return stale.length - done
}

function findStale(
  known: KnownFiles,
  files: readonly SessionFile[],
): { stale: SessionFile[]; gone: string[] } {
  const there = new Set<string>()
  const stale: SessionFile[] = []
  for (const file of files) {
    there.add(file.path)
    if (!isSame(known.get(file.path), file.identity)) stale.push(file)
  }
  stale.sort((a, b) => (a.identity.modified < b.identity.modified ? 1 : -1))
  return { stale, gone: [...known.keys()].filter((path) => !there.has(path)) }
}

/** If the file only grew, indexes just the turns with rows after the end of the last reading. */
function take(
  database: Database,
  file: SessionFile,
  session: OpenSession | null,
  known: KnownFile | undefined,
): void {
  const { path, identity } = file
  // An unreadable file is not retried before it changes.
  const turns = session?.conversation.turns ?? []
  const from =
    session !== null &&
    known !== undefined &&
    isGrown(known, identity) &&
    isPrefix(database, path, session)
      ? readUpTo(database, path, session)
      : 0
  if (from === 0) drop(database, path)
  for (const { turn } of turns)
    if (session!.placesOf(turn.id).some((place) => place >= from))
      put(database, path, turn, session!)
  run(
    database,
    'insert or replace into indexed values (?, ?, ?, ?, ?, ?, ?, ?)',
    path,
    file.id,
    String(identity.device),
    String(identity.inode),
    identity.size,
    String(identity.changed),
    session?.reading.end ?? 0,
    session?.reading.sample ?? '',
  )
}

/** Where the last reading ended; 0 if the file was overwritten since. */
function readUpTo(database: Database, path: string, session: OpenSession): number {
  const row = one(database, 'select end, sample from indexed where path = ?', path)
  const end = Number(row?.['end'] ?? 0)
  return end > 0 && session.continues({ end, sample: String(row?.['sample']) }) ? end : 0
}

/** An overwritten file has other turns at other places. */
function isPrefix(database: Database, path: string, session: OpenSession): boolean {
  const places = new Map(
    session.conversation.turns.map(({ turn: { id } }) => [id as string, session.placesOf(id)[0]]),
  )
  return all(database, 'select turn, place from turn where path = ?', path).every(
    (row) => places.get(String(row['turn'])) === Number(row['place']),
  )
}

function put(database: Database, path: string, turn: Turn, open: OpenSession): void {
  const old = one(database, 'select id from turn where path = ? and turn = ?', path, turn.id)
  if (old !== undefined) {
    run(database, 'delete from words where rowid = ?', Number(old['id']))
    run(database, 'delete from turn where id = ?', Number(old['id']))
  }
  const { moments } = open.readTurn(turn.id)
  const steps = stepsOf(moments)
  const project = open.summary.project
  const paths = editsOf(steps).map((edit) =>
    project !== null && edit.path.startsWith(`${project}/`)
      ? edit.path.slice(project.length + 1)
      : edit.path,
  )
  const id = run(
    database,
    'insert into turn (path, turn, place, at) values (?, ?, ?, ?)',
    path,
    turn.id,
    open.placesOf(turn.id)[0]!,
    turn.at,
  )
  const prompt = [turn.prompt, ...turn.absorbed.map(({ text }) => text)].join('\n')
  const said = moments.flatMap((moment: Moment) => (moment.kind === 'said' ? [moment.text] : []))
  run(
    database,
    'insert into words (rowid, prompt, files, commands, answer) values (?, ?, ?, ?, ?)',
    id,
    prompt.slice(0, MAX_LENGTH.prompt),
    [...new Set(paths)].join('\n').slice(0, MAX_LENGTH.files),
    commandsIn(steps).join('\n').slice(0, MAX_LENGTH.commands),
    said.join('\n').slice(0, MAX_LENGTH.answer),
  )
}

/** Commands and searches; edited files have their own column. */
function commandsIn(steps: readonly Step[]): string[] {
  return steps.flatMap(({ about, edits, agent }) => [
    ...(edits.length > 0 || about === '' ? [] : [about]),
    ...commandsIn(agent?.steps ?? []),
  ])
}

function drop(database: Database, path: string): void {
  run(database, 'delete from words where rowid in (select id from turn where path = ?)', path)
  run(database, 'delete from turn where path = ?', path)
  run(database, 'delete from indexed where path = ?', path)
}
