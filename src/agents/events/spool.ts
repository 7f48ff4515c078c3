import {
  listDirectory,
  makePrivateDirectory,
  nameBytes,
  readSmallFile,
  removeIfExists,
  statPath,
  type Disk,
} from '#disk'
import { readHookEvent, type SpoolEvent } from './spool-event.ts'

/**
 * The spool: one file per event, `SESSION.PID.event`, and the empty `SESSION.PID.start` and `.end`
 * of shell commands. Hooks only create new files, so readers and writers need no lock: a file is
 * either incomplete (and left alone), or complete and never changed again by its writer.
 * `dropSpooled` removes an event after its reader has stored it safely.
 */
const NAME = /^(?<session>[0-9A-Za-z_-]*)\.(?<pid>\d+)\+*\.(?<suffix>event|start|end)$/

/** The agent truncates tool results long before this. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024

/**
 * Hooks that find this file store nothing. Retake creates it if events went unread for long, and
 * removes it at the next reading.
 */
export const FULL = 'full'

const INCOMPLETE = 'no whole event'

/** After this time, an incomplete event stays incomplete: its writer died, or the disk was full. */
const MAX_WRITE_NS = 3_600_000_000_000n

export interface SpoolReading {
  /** Sorted by time. */
  readonly events: readonly SpoolEvent[]
  /** Files that are not events and never will be, with the reason. */
  readonly garbage: readonly { readonly file: string; readonly at: bigint; readonly why: string }[]
  /** The number of files that are being written. */
  readonly unfinished: number
}

export function spoolDirectory(state: string): string {
  return `${state}/spool`
}

/** Creates the spool directory, 0700 whatever the umask; from then on hooks store events. */
export function prepareSpool(disk: Disk, state: string): string {
  const directory = makePrivateDirectory(disk, state, ['spool'])
  reopenSpool(disk, directory)
  return directory
}

export function isSpoolFull(directory: string): boolean {
  return statPath(`${directory}/${FULL}`) !== null
}

export function reopenSpool(disk: Disk, directory: string): void {
  if (isSpoolFull(directory)) removeIfExists(disk, nameBytes(`${directory}/${FULL}`))
}

/** Reads all events, or those of some sessions. Changes nothing. */
export function readSpool(
  disk: Disk,
  directory: string,
  { now, sessions }: { now: Date; sessions?: ReadonlySet<string> },
): SpoolReading {
  const events: SpoolEvent[] = []
  const garbage: { file: string; at: bigint; why: string }[] = []
  let unfinished = 0
  const tooOld = BigInt(now.getTime()) * 1_000_000n - MAX_WRITE_NS
  for (const { name: file } of listDirectory(directory)) {
    const parts = NAME.exec(file)?.groups
    // Files with other names are not Retake's: neither read nor removed.
    if (parts === undefined || sessions?.has(parts['session']!) === false) continue
    const found = readOne(disk, `${directory}/${file}`, file, parts)
    if (found === 'gone') continue
    if ('kind' in found) events.push(found)
    else if (found.why === INCOMPLETE && found.at > tooOld) unfinished++
    else garbage.push({ file, ...found })
  }
  return { events: events.toSorted(byTime), garbage, unfinished }
}

/**
 * Removes events that were stored elsewhere. Checks the time, because the same name can return with
 * another event.
 */
export function dropSpooled(
  disk: Disk,
  directory: string,
  taken: readonly { readonly file: string; readonly at: bigint }[],
): void {
  for (const { file, at } of taken) {
    const path = nameBytes(`${directory}/${file}`)
    if (disk.stat(path)?.modified === at) removeIfExists(disk, path)
  }
}

function readOne(
  disk: Disk,
  path: string,
  file: string,
  parts: Record<string, string>,
): SpoolEvent | { at: bigint; why: string } | 'gone' {
  const suffix = parts['suffix']!
  const bytes = suffix === 'event' ? readSmallFile(path, MAX_EVENT_BYTES) : null
  // Stat after reading: an earlier time would not match the one that `dropSpooled` finds.
  const stat = disk.stat(nameBytes(path))
  if (stat === null) return 'gone'
  const at = stat.modified
  if (stat.kind !== 'file') return { at, why: `a ${stat.kind}` }
  if (suffix !== 'event')
    return {
      kind: 'shell',
      file,
      name: suffix === 'start' ? 'start' : 'end',
      at,
      session: parts['session']!,
      shell: Number(parts['pid']),
    }
  if (bytes === null)
    return { at, why: stat.size > MAX_EVENT_BYTES ? `${stat.size} bytes long` : 'not readable' }
  return readHookEvent(bytes.toString('utf8'), file, at) ?? { at, why: INCOMPLETE }
}

/** Pids count up, so they order events that the file system's clock cannot. */
function byTime(a: SpoolEvent, b: SpoolEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return pidOf(a) - pidOf(b) || Number(a.file.endsWith('.end')) - Number(b.file.endsWith('.end'))
}

function pidOf({ file }: SpoolEvent): number {
  return Number(NAME.exec(file)?.groups?.['pid'])
}
