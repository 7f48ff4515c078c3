import { agentAt, agentOf, findSessionFile, listSessionFiles } from './agents.ts'
import { crc32 } from 'node:zlib'
import type { Belonging, SessionFile } from '#agents'
import { type Disk, readRanges, statPath, type FileRanges } from '#disk'
import { Failure } from '#failure'
import {
  beginGeneration,
  chunksOf,
  findVault,
  lastChunk,
  newestGeneration,
  noteFound,
  noteKept,
  noteLost,
  noteRescued,
  noteSession,
  openVault,
  putChunk,
  vaultFiles,
  vaultSessions,
  writeVault,
  type Lost,
  type Vault,
  type VaultFile,
} from '#store'
import type { LossReport } from '#timeline'
import { inWords } from './in-words.ts'
import type { Machine } from './machine.ts'
import { isFull } from './quota.ts'

const CHUNK = 1024 * 1024
/** Bytes. A smaller last chunk is written again when the file grows, so that few stay small. */
const SMALL = 256 * 1024
/** New bytes that one run of the command line copies; the next run continues. */
const BUDGET = 32 * 1024 * 1024

/**
 * Copies what is new in the files of these sessions. The cost depends on the new bytes: in a file
 * that only grew, just the first, the last and one other chunk are compared. That is enough to find
 * a rewritten file in time.
 */
export function keepSessions(
  machine: Machine,
  ids: Iterable<string>,
  { budget = BUDGET }: { budget?: number } = {},
): { readonly isWhole: boolean } {
  try {
    return keepNew(machine, ids, budget)
  } catch (error) {
    throw inWords(error)
  }
}

function keepNew(
  machine: Machine,
  ids: Iterable<string>,
  budget: number,
): { readonly isWhole: boolean } {
  const full = isFull(machine)
  let left = budget
  for (const id of ids) {
    const file = findSessionFile(machine, id)
    if (file === null) continue
    const belongings = agentOf(machine, file).sessions.belongings(file)
    using vault = openIfNeeded(machine, belongings)
    if (vault === null) continue
    noteWho(machine, vault, file)
    for (const belonging of belongings) {
      if (left <= 0) return { isWhole: false }
      left -= keepFile(machine, vault, id, belonging, full ? 0 : left)
    }
  }
  return { isWhole: left > 0 }
}

/** Copies what is new in all sessions of a project; hooks call it. */
export function keepProject(machine: Machine, project: string): void {
  const files = listSessionFiles(machine, [project])
  keepSessions(
    machine,
    files.map(({ id }) => id),
  )
}

/** Null if everything is copied already: most runs find nothing new and need not write. */
function openIfNeeded({ places, disk }: Machine, belongings: readonly Belonging[]): Vault | null {
  const where = { data: places.data, disk }
  const vault = findVault(where)
  if (vault === null) return openVault(where)
  if (vault.readOnly !== null) {
    vault[Symbol.dispose]()
    throw vault.readOnly
  }
  if (belongings.some(({ path }) => !isKept(vault, path))) return vault
  vault[Symbol.dispose]()
  return null
}

function isKept(vault: Vault, path: string): boolean {
  const known = newestGeneration(vault, path)
  const stat = statPath(path)
  if (known === null || stat === null || known.lost !== null) return false
  return isSame(known, { size: Number(stat.size), inode: stat.ino, modified: stat.mtimeNs })
}

function noteWho(machine: Machine, vault: Vault, file: SessionFile): void {
  const [summary] = machine.index.summaries([file])
  writeVault(vault, () =>
    noteSession(vault, {
      id: file.id,
      project: summary?.project ?? null,
      title: summary?.title ?? '',
    }),
  )
}

/** Returns how many bytes were new. */
function keepFile(
  machine: Machine,
  vault: Vault,
  session: string,
  { role, path }: Belonging,
  budget: number,
): number {
  using file = tryOpen(path)
  if (file === null) return 0
  return writeVault(vault, () => {
    const known = newestGeneration(vault, path)
    if (known !== null && known.lost === null && isSame(known, file.identity)) return 0
    const how = known === null ? null : findLoss(vault, known, file)
    // Files that are always written anew, such as notes about a subagent, lose nothing by it.
    const isLoss = how !== null && (role === 'transcript' || role === 'agent')
    if (isLoss && known!.lost === null)
      noteLost(vault, known!, { how, at: machine.now().getTime(), size: file.size })
    if (how === null && known !== null && known.lost !== null) noteFound(vault, known)
    if (budget === 0) return 0
    const generation =
      known !== null && how === null
        ? known
        : beginGeneration(vault, {
            session,
            role,
            path,
            generation: (known?.generation ?? 0) + 1,
          })
    return keepBytes(vault, generation, file, budget)
  })
}

function keepBytes(vault: Vault, known: VaultFile, file: FileRanges, budget: number): number {
  const last = lastChunk(vault, known)
  let at = last !== null && last.size < SMALL && !last.redacted ? last.start : known.kept
  const end = Math.min(file.size, known.kept + budget)
  while (at < end) {
    const bytes = file.read(at, Math.min(CHUNK, end - at))
    if (bytes.length === 0) break
    putChunk(vault, known, at, bytes)
    at += bytes.length
  }
  const kept = Math.max(at, known.kept)
  const { inode, modified } = file.identity
  noteKept(vault, known, { kept, inode: String(inode), modified: String(modified) })
  return kept - known.kept
}

/** Null if the file still begins with what was copied of it. */
function findLoss(vault: Vault, known: VaultFile, file: FileRanges): Lost | null {
  if (file.size < known.kept) return 'shrunk'
  const chunks = chunksOf(vault, known)
  const last = chunks.at(-1)
  if (last === undefined) return null
  // Appending keeps the inode and makes the file longer; after anything else, compare all chunks.
  const isAppended = known.inode === String(file.identity.inode) && file.size > known.kept
  const audited = chunks[known.kept % chunks.length]!
  const compared = isAppended ? [last, chunks[0]!, audited] : chunks
  const isSameAt = ({ start, size, crc }: (typeof chunks)[number]): boolean =>
    crc32(file.read(start, size)) === crc
  return [...new Set(compared)].every(isSameAt) ? null : 'rewritten'
}

function isSame(
  known: VaultFile,
  now: { readonly size: number; readonly inode: bigint; readonly modified: bigint },
): boolean {
  return (
    known.kept === now.size &&
    known.inode === String(now.inode) &&
    known.modified === String(now.modified)
  )
}

function tryOpen(path: string): FileRanges | null {
  try {
    return readRanges(path)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/**
 * Files that are missing or were cut or rewritten: losses noted when the file was read, and those
 * that its size shows now. Rescued files are left out.
 */
export function findLosses(machine: Machine, session: string | null): LossReport[] {
  const { places, disk } = machine
  using vault = tryFindVault(disk, places.data)
  if (vault === null) return []
  const files = vaultFiles(vault, session).filter(
    ({ role }) => role === 'transcript' || role === 'agent',
  )
  const sessions = new Map(vaultSessions(vault).map((each) => [each.id, each]))
  const byPath = Map.groupBy(files, ({ path }) => path)
  return [...byPath.values()].flatMap((generations) => {
    const newest = generations.at(-1)!
    const size = statPath(newest.path)?.size ?? null
    const seen =
      size !== null
        ? Number(size) < newest.kept
          ? 'shrunk'
          : null
        : goneOrNot(machine, newest.path)
    return generations.flatMap((file) => {
      const how = file.lost?.how ?? (file === newest ? seen : null)
      if (how === null || file.rescued !== null || file.kept === 0) return []
      const left = file.lost?.size ?? Number(size ?? 0)
      const { title = '', project = null } = sessions.get(file.session) ?? {}
      return { session: file.session, title, project, path: file.path, how, kept: file.kept, left }
    })
  })
}

function goneOrNot(machine: Machine, path: string): Lost | null {
  return agentAt(machine, path).sessions.hasElsewhere(path) ? null : 'gone'
}

/**
 * A branch session that Retake removed is no loss: its parent has everything in it. Only a notice
 * depends on this, so a vault with problems must not stop the operation.
 */
export function noteRemovedBranch(
  { places, disk }: Machine,
  session: string,
  parent: string,
): void {
  using vault = tryFindVault(disk, places.data)
  if (vault === null) return
  noteRescued(vault, vaultFiles(vault, session), parent)
}

/**
 * A vault that cannot be opened, for example on a full disk, must not prevent reading. The tables of
 * a newer one may mean something else, so it is not read.
 */
function tryFindVault(disk: Disk, data: string): Vault | null {
  try {
    const vault = findVault({ data, disk })
    if (vault === null || vault.readOnly === null) return vault
    vault[Symbol.dispose]()
    return null
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
