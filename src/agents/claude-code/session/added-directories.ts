import { resolve } from 'node:path'
import { readRanges, readSmallFile, statPath } from '#disk'
import type { AddedReading } from '../../session-source.ts'
import { digestOf } from '../chain/index.ts'
import { field, string } from '../rows/index.ts'
import type { ClaudeSession } from './claude-session.ts'
import { findLiveProcesses } from './registry.ts'
import { findSessionFile } from './session-files.ts'

const MAX_ROW_BYTES = 1024 * 1024
/** Claude Code writes such a row at each start, and when the list changes. */
const MAX_ROWS = 64

/** A row that lists added directories, and its time. */
interface AddedRow {
  readonly paths: readonly string[]
  readonly at: number
}

const known = new WeakMap<ClaudeSession, readonly AddedRow[]>()

/**
 * The directories that the user added with `--add-dir` or `/add-dir` up to this time, in ms since
 * 1970.
 */
export function addedDirectories(session: ClaudeSession, by: number): readonly string[] {
  let rows = known.get(session)
  if (rows === undefined) known.set(session, (rows = readAdded(session)))
  return [...new Set(rows.flatMap(({ paths, at }) => (at > by ? [] : paths)))]
}

function readAdded({ transcript, conversation }: ClaudeSession): AddedRow[] {
  const { environments } = digestOf(transcript, conversation)
  if (environments.length === 0) return []
  using file = readRanges(transcript.path)
  return environments
    .slice(-MAX_ROWS)
    .filter(({ length }) => length <= MAX_ROW_BYTES)
    .map(({ place, length }) => {
      const row = parse(file.read(place, length))
      const at = Date.parse(string(field(row, 'timestamp')) ?? '')
      // If older rows were skipped, it is unknown when a directory was first added.
      const isKnown = !Number.isNaN(at) && environments.length <= MAX_ROWS
      return { paths: namedIn(row), at: isKnown ? at : Number.NEGATIVE_INFINITY }
    })
}

/** Combines new rows of the transcript with the command line of the process. */
export function addedSince(config: string, session: string, from: AddedReading): AddedReading {
  const transcript =
    from.transcript !== null && statPath(from.transcript) !== null
      ? from.transcript
      : (findSessionFile(config, session)?.path ?? null)
  const news =
    transcript === null ? { directories: [], end: 0 } : addedDirectoriesFrom(transcript, from.end)
  const typed = addedByCommandLine(config, session)
  const directories = [...new Set([...from.directories, ...news.directories, ...typed])]
  return { transcript, end: news.end, directories }
}

const MARK = Buffer.from('"additionalWorkingDirectories":[')
const CHUNK = 4 * MAX_ROW_BYTES
const NEWLINE = 0x0a

/**
 * The same for a transcript that is being written, without parsing its rows, because hooks are
 * short of time. `end` is where to continue when it has grown.
 */
export function addedDirectoriesFrom(
  path: string,
  from: number,
): { directories: string[]; end: number } {
  using file = readRanges(path)
  const found = new Set<string>()
  // A shorter transcript is a different one.
  let at = from > file.size ? 0 : from
  while (at < file.size) {
    const bytes = file.read(at, CHUNK)
    const cut = bytes.lastIndexOf(NEWLINE) + 1
    // The row is incomplete: still being written, or too large to be of this kind.
    if (cut === 0 && at + bytes.length >= file.size) break
    const rows = cut === 0 ? bytes.subarray(0, 0) : bytes.subarray(0, cut)
    for (let mark = rows.indexOf(MARK); mark >= 0; mark = rows.indexOf(MARK, mark + 1)) {
      const start = rows.lastIndexOf(NEWLINE, mark) + 1
      const end = rows.indexOf(NEWLINE, mark)
      if (end - start <= MAX_ROW_BYTES)
        for (const each of namedIn(parse(rows.subarray(start, end)))) found.add(each)
    }
    at += cut === 0 ? bytes.length : cut
  }
  return { directories: [...found], end: at }
}

const MAX_COMMAND_LINE = 1024 * 1024

/**
 * The `--add-dir` arguments of the process that has the session open. At the first prompt of a
 * session there is no transcript yet. Empty without /proc: the transcript has them a moment later.
 */
function addedByCommandLine(config: string, session: string): string[] {
  return findLiveProcesses(config).flatMap(({ pid, session: own, cwd }) => {
    if (own !== session || cwd === null) return []
    const line = readSmallFile(`/proc/${pid}/cmdline`, MAX_COMMAND_LINE)?.toString('utf8') ?? ''
    return argumentsOf(line.split('\0'), '--add-dir').map((path) => resolve(cwd, path))
  })
}

/** All words up to the next option belong to it. */
export function argumentsOf(words: readonly string[], option: string): string[] {
  let isOpen = false
  return words.flatMap((word) => {
    if (word.startsWith(`${option}=`)) {
      isOpen = true
      return [word.slice(option.length + 1)]
    }
    if (word.startsWith('-')) isOpen = word === option
    return isOpen && !word.startsWith('-') && word !== '' ? [word] : []
  })
}

function namedIn(row: unknown): string[] {
  const named = field(field(field(row, 'attachment'), 'snapshot'), 'additionalWorkingDirectories')
  if (!Array.isArray(named)) return []
  return named.filter(
    (path): path is string =>
      typeof path === 'string' && path.startsWith('/') && !path.includes('\0'),
  )
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
