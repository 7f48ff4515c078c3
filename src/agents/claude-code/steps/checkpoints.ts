import { readRanges, readSmallFile } from '#disk'
import type { Recorded, RecordedEdit } from '#timeline'
import { field, string } from '../rows/index.ts'
import type { CheckpointRow, Row } from '../rows/index.ts'
import type { Transcript } from '../rows/index.ts'

/**
 * Claude Code's own checkpoints: byte-exact copies of the files that its edit tools touched. They
 * are preferred for old contents, because texts in the transcript have lost line endings and
 * encoding. A backup's name can be reused for other bytes, so a backup counts only if it agrees
 * with the recorded text.
 */
export interface Checkpoints {
  /** The exact bytes before the edit, if a checkpoint has them. */
  before(turn: string, edit: RecordedEdit): Recorded
  /** The exact bytes after the edit, if a later checkpoint has them. */
  after(turn: string, edit: RecordedEdit): Recorded
}

interface Backup {
  readonly turn: string
  readonly place: number
  /** Null if the file did not exist. */
  readonly file: string | null
}

/** Checkpointed files are source text; larger ones are not loaded. */
const MAX_BACKUP_BYTES = 64 * 1024 * 1024
const MAX_ROW_BYTES = 16 * 1024 * 1024

export function readCheckpoints(
  transcript: Transcript,
  from: { fileHistory: string; cwd: string },
): Checkpoints {
  // Loaded on demand: finding the head needs none of them.
  let collected: Map<string, Backup[]> | null = null
  const backupsOf = (path: string): readonly Backup[] =>
    (collected ??= collectBackups(transcript, from.cwd)).get(path) ?? []
  const load = (backup: Backup): Recorded => {
    if (backup.file === null) return { kind: 'absent' }
    const bytes = readSmallFile(`${from.fileHistory}/${backup.file}`, MAX_BACKUP_BYTES)
    return bytes === null
      ? { kind: 'unknown', why: 'the checkpoint no longer exists' }
      : { kind: 'bytes', bytes }
  }
  return {
    before(turn, edit) {
      const own = backupsOf(edit.path).filter((backup) => backup.turn === turn)
      for (const backup of own.toReversed()) {
        const found = load(backup)
        if (agrees(found, edit.before)) return found
      }
      return edit.before
    },
    after(turn, edit) {
      const all = backupsOf(edit.path)
      const own = all.findLastIndex((backup) => backup.turn === turn)
      for (const backup of all.slice(own + 1)) {
        const found = load(backup)
        if (edit.after.kind === 'text' && agrees(found, edit.after)) return found
      }
      return edit.after
    },
  }
}

/** All backups by path, in the order they were made. */
function collectBackups(transcript: Transcript, cwd: string): Map<string, Backup[]> {
  const backups = new Map<string, Backup[]>()
  if (transcript.checkpoints.length === 0) return backups
  const add = (turn: string | null, tracked: string, place: number, backup: unknown): void => {
    const file = field(backup, 'backupFileName')
    if (turn === null || (file !== null && !isBackupName(file))) return
    const path = tracked.startsWith('/') ? tracked : `${cwd}/${tracked}`
    const list = backups.get(path)
    if (list) list.push({ turn, place, file })
    else backups.set(path, [{ turn, place, file }])
  }
  using file = readRanges(transcript.path)
  for (const { place, length } of transcript.checkpoints) {
    if (length > MAX_ROW_BYTES) continue
    const row = parse(file.read(place, length))
    const tracked = string(field(row, 'trackingPath'))
    if (tracked !== null)
      add(string(field(row, 'snapshotMessageId')), tracked, place, field(row, 'backup'))
    const files = field(field(row, 'snapshot'), 'trackedFileBackups')
    if (typeof files === 'object' && files !== null)
      for (const [path, backup] of Object.entries(files))
        add(string(field(row, 'messageId')), path, place, backup)
  }
  return backups
}

/** The checkpoints of these rows' turns, and the names of their backups. */
export function findBackups(
  transcript: Transcript,
  rows: readonly Row[],
): { rows: CheckpointRow[]; backups: string[] } {
  if (transcript.checkpoints.length === 0) return { rows: [], backups: [] }
  const prompts = new Set(rows.map(({ uuid }) => uuid))
  const backups = new Set<string>()
  using file = readRanges(transcript.path)
  const own = transcript.checkpoints.filter(({ place, length }) => {
    const row = length > MAX_ROW_BYTES ? undefined : parse(file.read(place, length))
    const turn = string(field(row, 'snapshotMessageId')) ?? string(field(row, 'messageId'))
    if (turn === null || !prompts.has(turn)) return false
    const files = field(field(row, 'snapshot'), 'trackedFileBackups')
    for (const backup of [field(row, 'backup'), ...Object.values(files ?? {})]) {
      const name = field(backup, 'backupFileName')
      if (isBackupName(name)) backups.add(name)
    }
    return true
  })
  return { rows: own, backups: [...backups] }
}

/** The name becomes part of a path: a hostile transcript must not choose another directory. */
function isBackupName(name: unknown): name is string {
  return typeof name === 'string' && /^[0-9a-f]{16}@v\d+$/.test(name)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function agrees(found: Recorded, recorded: Recorded): boolean {
  if (found.kind === 'absent') return recorded.kind === 'absent'
  if (found.kind !== 'bytes') return false
  // Nothing to compare with: only the checkpoint has the content.
  if (recorded.kind === 'unknown') return true
  return recorded.kind === 'text' && decode(found.bytes) === withoutReturns(recorded.text)
}

/**
 * Decodes a file as the agent does: UTF-16 by its byte order mark, else UTF-8; LF line endings; no
 * mark.
 */
function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const wide = buffer[0] === 0xff && buffer[1] === 0xfe
  const text = buffer.toString(wide ? 'utf16le' : 'utf8')
  return withoutReturns(text.startsWith('\ufeff') ? text.slice(1) : text)
}

function withoutReturns(text: string): string {
  return (text.startsWith('\ufeff') ? text.slice(1) : text).replaceAll('\r\n', '\n')
}
