import type { FileIdentity } from '#disk'
import { all, one, run, transact, type Cache, type CacheFormat, type Database } from '#store'
import { editsOf, stepsOf, type Moment, type Step, type TurnId } from '#timeline'
import type { SessionFile } from './session-files.ts'
import type { OpenSession } from './session.ts'
import type { TurnRows } from './turns.ts'

/**
 * The words of all sessions, to be searched: prompts, answers, files, commands, a turn each. It is
 * made from the transcripts by file identity and offset, says what they say, and can be thrown away.
 */
export const searchFormat: CacheFormat = {
  version: 1,
  schema: `
    create table indexed (
      path text primary key, session text not null, device text not null, inode text not null,
      size integer not null, changed text not null, end integer not null
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

/** A turn in which the words stand, with the place where they do. */
export interface SearchHit {
  readonly session: string
  readonly turn: TurnId
  readonly at: string | null
  readonly field: SearchField
  /** What was found stands between the two marks. */
  readonly excerpt: string
  /** All files that the turn is about. */
  readonly files: readonly string[]
}

/** No text has them. */
export const MARKS = { start: '\u0002', end: '\u0003' } as const

export interface SearchIndex {
  /**
   * Takes in what is new, the newest files first, until the time is up. Gives how many sessions
   * are still to be read.
   */
  update(
    files: readonly SessionFile[],
    open: (file: SessionFile) => OpenSession | null,
    isTimeUp: () => boolean,
  ): number
  find(words: string, limit: number): SearchHit[]
}

/** So much of a turn can be found; what is longer is a log, not a conversation. */
const MOST = { prompt: 16_000, files: 16_000, commands: 16_000, answer: 48_000 }

/** `null` where there is no cache: then nothing is found, and that is said by who asks. */
export function openSearchIndex(cache: () => Cache | null): SearchIndex {
  return {
    update(files, open, isTimeUp) {
      return cache()?.attempt((database) => update(database, files, open, isTimeUp)) ?? 0
    },
    find(words, limit) {
      const query = queryOf(words)
      if (query === null) return []
      return cache()?.attempt((database) => find(database, query, limit)) ?? []
    },
  }
}

/** Every word must be there, each may go on; what people type is never a command of SQLite. */
function queryOf(words: string): string | null {
  const each = words.match(/[\p{L}\p{N}][^\s"]*/gu) ?? []
  if (each.length === 0) return null
  return each
    .slice(0, 12)
    .map((word) => `"${word.slice(0, 80)}"*`)
    .join(' ')
}

function find(database: Database, query: string, limit: number): SearchHit[] {
  const marked = COLUMNS.map(
    (_, at) => `snippet(words, ${at}, char(2), char(3), '…', 14) as c${at}`,
  )
  const rows = all(
    database,
    // The best are chosen first: to cut excerpts out of all that fits would take many times as long.
    `with best as materialized (
       select rowid as id, rank from words
       where words match ? and rank match 'bm25(8, 4, 3, 1)' order by rank limit ?
     )
     select indexed.session, turn.turn, turn.at, words.files, ${marked.join(', ')}
     from best join words on words.rowid = best.id join turn on turn.id = best.id
       join indexed on indexed.path = turn.path
     where words match ? order by best.rank, turn.at desc`,
    query,
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

function update(
  database: Database,
  files: readonly SessionFile[],
  open: (file: SessionFile) => OpenSession | null,
  isTimeUp: () => boolean,
): number {
  const known = new Map(
    all(database, 'select * from indexed').map((row) => [String(row['path']), row]),
  )
  const stale = files
    .filter(({ path, identity }) => !isSame(known.get(path), identity))
    .sort((a, b) => (a.identity.modified < b.identity.modified ? 1 : -1))
  const there = new Set(files.map(({ path }) => path))
  const gone = [...known.keys()].filter((path) => !there.has(path))
  if (stale.length === 0 && gone.length === 0) return 0
  return transact(database, () => {
    for (const path of gone) drop(database, path)
    let done = 0
    for (const file of stale) {
      // At least one, or a machine that is too slow would never get on.
      if (done > 0 && isTimeUp()) break
      take(database, file, open(file), known.get(file.path))
      done += 1
    }
    return stale.length - done
  })
}

type Known = ReturnType<typeof one>

function isSame(known: Known, { device, inode, size, changed }: FileIdentity): boolean {
  return (
    known !== undefined &&
    isGrown(known, { device, inode, size }) &&
    known['size'] === size &&
    known['changed'] === String(changed)
  )
}

function isGrown(
  known: NonNullable<Known>,
  { device, inode, size }: Pick<FileIdentity, 'device' | 'inode' | 'size'>,
): boolean {
  return (
    known['device'] === String(device) &&
    known['inode'] === String(inode) &&
    Number(known['size']) <= size
  )
}

/** Only the turns that have rows behind the end of the last reading, where the file only grew. */
function take(
  database: Database,
  file: SessionFile,
  session: OpenSession | null,
  known: Known,
): void {
  const { path, identity } = file
  if (session === null) return drop(database, path)
  const { turns } = session.conversation
  const goesOn = known !== undefined && isGrown(known, identity) && isPrefix(database, path, turns)
  const from = goesOn ? Number(known['end']) : 0
  if (!goesOn) drop(database, path)
  for (const entry of turns) {
    const place = Math.max(...entry.rows.map((row) => row.place), ...entry.asides.map(placeOf))
    if (place < from) continue
    put(database, path, entry, session)
  }
  run(
    database,
    'insert or replace into indexed values (?, ?, ?, ?, ?, ?, ?)',
    path,
    file.id,
    String(identity.device),
    String(identity.inode),
    identity.size,
    String(identity.changed),
    session.transcript.end,
  )
}

/** A file that was written over has other turns at other places. */
function isPrefix(database: Database, path: string, turns: readonly TurnRows[]): boolean {
  const places = new Map(turns.map(({ turn, rows }) => [turn.id as string, rows[0]!.place]))
  return all(database, 'select turn, place from turn where path = ?', path).every(
    (row) => places.get(String(row['turn'])) === Number(row['place']),
  )
}

function placeOf({ place }: { place: number }): number {
  return place
}

function put(database: Database, path: string, { turn, rows }: TurnRows, open: OpenSession): void {
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
    rows[0]!.place,
    turn.at,
  )
  const prompt = [turn.prompt, ...turn.absorbed.map(({ text }) => text)].join('\n')
  const said = moments.flatMap((moment: Moment) => (moment.kind === 'said' ? [moment.text] : []))
  run(
    database,
    'insert into words (rowid, prompt, files, commands, answer) values (?, ?, ?, ?, ?)',
    id,
    prompt.slice(0, MOST.prompt),
    [...new Set(paths)].join('\n').slice(0, MOST.files),
    commandsIn(steps).join('\n').slice(0, MOST.commands),
    said.join('\n').slice(0, MOST.answer),
  )
}

/** What was run and looked for; files that were edited have a place of their own. */
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
