import {
  listDirectory,
  makePrivateDirectory,
  nameBytes,
  readSmallFile,
  removeIfThere,
  statPath,
  type Disk,
} from '#disk'
import { readHookEvent, type SpoolEvent } from './spool-event.ts'

/**
 * The spool: one file per event, `SESSION.PID.event`, and the empty `SESSION.PID.start` and
 * `.end` of shell commands. Hooks only ever make new files, so readers and writers need no lock:
 * a file is either half (left alone), or whole and never touched again by who wrote it. An event
 * leaves the spool by `dropSpooled`, after its reader has put it where it is safe.
 */
const NAME = /^(?<session>[0-9A-Za-z_-]*)\.(?<pid>\d+)\+*\.(?<suffix>event|start|end)$/

/** Results of tools are cut by the agent long before this. */
const LARGEST_EVENT = 16 * 1024 * 1024

/**
 * A hook that finds this file keeps nothing. It is made where events came and nobody could read
 * them for long, and goes as soon as somebody does.
 */
export const FULL = 'full'

const HALF = 'no whole event'

/** After this half an event stays half: who wrote it is gone, or the disk was full. */
const PATIENCE_NS = 3_600_000_000_000n

export interface SpoolReading {
  /** In the order of time. */
  readonly events: readonly SpoolEvent[]
  /** Files that are no event and will never be one, with the reason. */
  readonly garbage: readonly { readonly file: string; readonly at: bigint; readonly why: string }[]
  /** How many files are being written at this moment. */
  readonly unfinished: number
}

export function spoolDirectory(state: string): string {
  return `${state}/spool`
}

/** Makes the spool directory, 0700 whatever the umask; from then on hooks keep their events. */
export function prepareSpool(disk: Disk, state: string): string {
  const directory = makePrivateDirectory(disk, state, ['spool'])
  reopenSpool(disk, directory)
  return directory
}

export function isSpoolFull(directory: string): boolean {
  return statPath(`${directory}/${FULL}`) !== null
}

export function reopenSpool(disk: Disk, directory: string): void {
  if (isSpoolFull(directory)) removeIfThere(disk, nameBytes(`${directory}/${FULL}`))
}

/** Reads all events, or those of some sessions. Nothing is changed by reading. */
export function readSpool(
  disk: Disk,
  directory: string,
  { now, sessions }: { now: Date; sessions?: ReadonlySet<string> },
): SpoolReading {
  const events: SpoolEvent[] = []
  const garbage: { file: string; at: bigint; why: string }[] = []
  let unfinished = 0
  const tooOld = BigInt(now.getTime()) * 1_000_000n - PATIENCE_NS
  for (const { name: file } of listDirectory(directory)) {
    const parts = NAME.exec(file)?.groups
    // What does not have our names is not ours: neither read nor removed.
    if (parts === undefined || sessions?.has(parts['session']!) === false) continue
    const found = readOne(disk, `${directory}/${file}`, file, parts)
    if (found === 'gone') continue
    if ('kind' in found) events.push(found)
    else if (found.why === HALF && found.at > tooOld) unfinished++
    else garbage.push({ file, ...found })
  }
  return { events: events.toSorted(byTime), garbage, unfinished }
}

/**
 * Removes what has been taken over. Only the very file that was read: in a long-lived spool the
 * same name can come back, and then it is another event.
 */
export function dropSpooled(
  disk: Disk,
  directory: string,
  taken: readonly { readonly file: string; readonly at: bigint }[],
): void {
  for (const { file, at } of taken) {
    const path = nameBytes(`${directory}/${file}`)
    if (disk.stat(path)?.modified === at) removeIfThere(disk, path)
  }
}

function readOne(
  disk: Disk,
  path: string,
  file: string,
  parts: Record<string, string>,
): SpoolEvent | { at: bigint; why: string } | 'gone' {
  const suffix = parts['suffix']!
  const bytes = suffix === 'event' ? readSmallFile(path, LARGEST_EVENT) : null
  // After the bytes: a time from before the last of them would not be the one `dropSpooled` finds.
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
    return { at, why: stat.size > LARGEST_EVENT ? `${stat.size} bytes long` : 'not readable' }
  return readHookEvent(bytes.toString('utf8'), file, at) ?? { at, why: HALF }
}

/** Process ids count up: they tell apart what the file system's clock cannot. */
function byTime(a: SpoolEvent, b: SpoolEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return pidOf(a) - pidOf(b) || Number(a.file.endsWith('.end')) - Number(b.file.endsWith('.end'))
}

function pidOf({ file }: SpoolEvent): number {
  return Number(NAME.exec(file)?.groups?.['pid'])
}
