import { createHash } from 'node:crypto'
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { command, Failure, remedy } from '#failure'
import { all, one, run, type Row } from './database.ts'
import { brokenChunks, writeVault, type Vault } from './vault.ts'

export type VaultRole = 'transcript' | 'agent' | 'beside' | 'checkpoint'
export type Lost = 'shrunk' | 'rewritten' | 'gone'

export interface VaultFile {
  readonly id: number
  readonly session: string
  readonly role: VaultRole
  readonly path: string
  readonly generation: number
  /** The number of bytes kept, from the beginning. */
  readonly kept: number
  readonly inode: string
  readonly modified: string
  readonly lost: { readonly how: Lost; readonly at: number; readonly size: number } | null
  /** The session that it was restored as. */
  readonly rescued: string | null
}

export interface VaultChunk {
  readonly start: number
  readonly size: number
  readonly crc: number
  /** Parts were blanked: this chunk is never read from the agent's file again. */
  readonly redacted: boolean
}

export interface VaultSession {
  readonly id: string
  readonly project: string | null
  readonly title: string
}

export function noteSession(vault: Vault, { id, project, title }: VaultSession): void {
  run(
    vault.database,
    // No numbered parameters in this room: Node 22.18 cannot bind them.
    `insert into session (id, project, title) values (?, ?, ?) on conflict (id) do update
       set project = coalesce(excluded.project, project),
         title = iif(excluded.title = '', title, excluded.title)`,
    id,
    project,
    title,
  )
}

export function vaultSessions({ database }: Vault): VaultSession[] {
  return all(database, 'select * from session order by id').map((row) => ({
    id: String(row['id']),
    project: row['project'] as string | null,
    title: String(row['title']),
  }))
}

/** All files of a session, or of all sessions (null), with every generation. */
export function vaultFiles({ database }: Vault, session: string | null): VaultFile[] {
  return all(
    database,
    'select * from file where session = coalesce(?, session) order by path, generation',
    session,
  ).map(toFile)
}

export function newestGeneration({ database }: Vault, path: string): VaultFile | null {
  const row = one(
    database,
    'select * from file where path = ? order by generation desc limit 1',
    path,
  )
  return row === undefined ? null : toFile(row)
}

export function beginGeneration(
  vault: Vault,
  file: Pick<VaultFile, 'session' | 'role' | 'path' | 'generation'>,
): VaultFile {
  run(
    vault.database,
    `insert into file (session, role, path, generation, kept, inode, modified)
     values (?, ?, ?, ?, 0, '', '')`,
    file.session,
    file.role,
    file.path,
    file.generation,
  )
  return newestGeneration(vault, file.path)!
}

/** The chunk at the end of the kept bytes; null if nothing is kept. */
export function lastChunk({ database }: Vault, file: VaultFile): VaultChunk | null {
  const row = one(
    database,
    'select start, size, crc, redacted from chunk where file = ? order by start desc limit 1',
    file.id,
  )
  return row === undefined ? null : toChunk(row)
}

export function chunksOf({ database }: Vault, file: VaultFile): VaultChunk[] {
  return all(
    database,
    'select start, size, crc, redacted from chunk where file = ? order by start',
    file.id,
  ).map(toChunk)
}

/** Stores bytes at an offset. Replaces a chunk that began there by a longer one. */
export function putChunk(vault: Vault, file: VaultFile, start: number, bytes: Buffer): void {
  run(vault.database, 'delete from chunk where file = ? and start = ?', file.id, start)
  run(
    vault.database,
    'insert into chunk (file, start, size, crc, sha256, bytes) values (?, ?, ?, ?, ?, ?)',
    file.id,
    start,
    bytes.length,
    crc32(bytes),
    createHash('sha256').update(bytes).digest(),
    zstdCompressSync(bytes),
  )
}

export function noteKept(
  vault: Vault,
  file: VaultFile,
  { kept, inode, modified }: Pick<VaultFile, 'kept' | 'inode' | 'modified'>,
): void {
  run(
    vault.database,
    'update file set kept = ?, inode = ?, modified = ? where id = ?',
    kept,
    inode,
    modified,
    file.id,
  )
}

export function noteLost(
  vault: Vault,
  file: VaultFile,
  { how, at, size }: NonNullable<VaultFile['lost']>,
): void {
  run(
    vault.database,
    'update file set lost = ?, lost_at = ?, lost_size = ? where id = ?',
    how,
    at,
    size,
    file.id,
  )
}

/** The file exists again, unchanged. */
export function noteFound(vault: Vault, file: VaultFile): void {
  run(
    vault.database,
    'update file set lost = null, lost_at = null, lost_size = null where id = ?',
    file.id,
  )
}

export function noteRescued(vault: Vault, files: readonly VaultFile[], as: string): void {
  writeVault(vault, () => {
    for (const { id } of files)
      run(vault.database, 'update file set rescued = ? where id = ?', as, id)
  })
}

/** The kept bytes in order, one verified chunk at a time. */
export function* readKept({ database }: Vault, file: VaultFile): Iterable<Buffer> {
  const starts = all(database, 'select id from chunk where file = ? order by start', file.id)
  for (const { id } of starts) {
    const row = one(database, 'select * from chunk where id = ?', Number(id))
    const bytes = row === undefined ? null : unpack(row)
    if (bytes === null)
      throw new Failure('content-damaged', `Retake's copy of ${file.path} is damaged.`, {
        hint: remedy`${command('check', [], { readData: true })} to see what is lost.`,
      })
    yield bytes
  }
}

export interface VaultProblem {
  readonly path: string
  readonly session: string
  readonly generation: number
  readonly start: number
  readonly size: number
}

/** Every chunk whose bytes do not match its checksums, and every gap between chunks. */
export function checkVault(vault: Vault): { checked: number; problems: VaultProblem[] } {
  let checked = 0
  const problems: VaultProblem[] = []
  const broken = brokenChunks(vault)
  for (const file of vaultFiles(vault, null)) {
    const { path, session, generation, kept } = file
    let at = 0
    const note = (start: number, size: number): void =>
      void problems.push({ path, session, generation, start, size })
    for (const { id } of all(
      vault.database,
      'select id from chunk where file = ? order by start',
      file.id,
    )) {
      const row = one(vault.database, 'select * from chunk where id = ?', Number(id))
      // A damaged index entry: the gap shows at the next chunk, or at the end.
      if (row === undefined) continue
      const { start, size } = toChunk(row)
      checked += 1
      if (start !== at) note(at, start - at)
      else if (broken.has(Number(id)) || unpack(row) === null) note(start, size)
      at = start + size
    }
    if (at !== kept) note(at, kept - at)
  }
  return { checked, problems }
}

function unpack(row: Row): Buffer | null {
  const { size, crc } = toChunk(row)
  try {
    const packed = row['bytes'] as Uint8Array
    const bytes = zstdDecompressSync(packed, { maxOutputLength: Math.max(size, 1) })
    const digest = createHash('sha256').update(bytes).digest()
    const isWhole =
      bytes.length === size &&
      (row['redacted'] === 1 || crc32(bytes) === crc) &&
      digest.equals(Buffer.from(row['sha256'] as Uint8Array))
    return isWhole ? bytes : null
  } catch {
    return null
  }
}

function toChunk(row: Row): VaultChunk {
  return {
    start: Number(row['start']),
    size: Number(row['size']),
    crc: Number(row['crc']),
    redacted: row['redacted'] === 1,
  }
}

function toFile(row: Row): VaultFile {
  return {
    id: Number(row['id']),
    session: String(row['session']),
    role: row['role'] as VaultRole,
    path: String(row['path']),
    generation: Number(row['generation']),
    kept: Number(row['kept']),
    inode: String(row['inode']),
    modified: String(row['modified']),
    lost:
      row['lost'] === null
        ? null
        : {
            how: row['lost'] as Lost,
            at: Number(row['lost_at']),
            size: Number(row['lost_size']),
          },
    rescued: row['rescued'] as string | null,
  }
}

/**
 * Blanks lines in place, so that offsets stay valid. `crc`, which is compared with the agent's
 * file, keeps covering the original bytes. A line that cannot be judged (null) is blanked with its
 * neighbours: what the agent notes about a prompt is right before and after it.
 */
export function redactKept(
  vault: Vault,
  file: VaultFile,
  isGone: (line: Buffer) => boolean | null,
): void {
  const ranges = rangesOf(readKept(vault, file), isGone)
  if (ranges.length === 0) return
  writeVault(vault, () => {
    for (const { id } of all(
      vault.database,
      'select id from chunk where file = ? order by start',
      file.id,
    )) {
      const row = one(vault.database, 'select * from chunk where id = ?', Number(id))!
      const { start, size } = toChunk(row)
      const inside = ranges.filter(({ from, to }) => from < start + size && to > start)
      const bytes = inside.length === 0 ? null : unpack(row)
      if (bytes === null) continue
      for (const { from, to } of inside)
        bytes.fill(0x20, Math.max(0, from - start), Math.min(size, to - start))
      run(
        vault.database,
        'update chunk set bytes = ?, sha256 = ?, redacted = 1 where id = ?',
        zstdCompressSync(bytes),
        createHash('sha256').update(bytes).digest(),
        Number(id),
      )
    }
  })
}

function rangesOf(
  parts: Iterable<Buffer>,
  isGone: (line: Buffer) => boolean | null,
): { from: number; to: number }[] {
  const lines: { from: number; to: number; gone: boolean | null }[] = []
  let at = 0
  let begun: Buffer[] = []
  const end = (last: Buffer): void => {
    const line = Buffer.concat([...begun, last])
    begun = []
    lines.push({ from: at, to: at + line.length, gone: isGone(line) })
    at += line.length
  }
  for (const part of parts) {
    let from = 0
    for (let to = part.indexOf(0x0a); to !== -1; to = part.indexOf(0x0a, from)) {
      end(part.subarray(from, to))
      at += 1
      from = to + 1
    }
    begun.push(part.subarray(from))
  }
  end(Buffer.alloc(0))
  let [before, after] = [false, false]
  const byBefore = lines.map(({ gone }) => (before = gone ?? before))
  const byAfter = lines
    .toReversed()
    .map(({ gone }) => (after = gone ?? after))
    .toReversed()
  return lines.filter(({ gone }, n) => gone ?? (byBefore[n]! || byAfter[n]!))
}
