import { isBelowProcess, inspectProcess, type AgentName, type LiveProcess } from '#agents'
import {
  type Disk,
  listDirectory,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfExists,
  statPath,
  writeOnce,
} from '#disk'
import { findLiveProcesses, type Machine, type Places } from '../ground/index.ts'

/** An agent started by `retake claude`, as recorded at its start. */
interface SupervisedRecord {
  readonly schema: 'retake.supervised/1'
  /** The loop's process, and when it started. */
  readonly pid: number
  readonly started: string
  readonly agent: AgentName
  readonly program: string
  readonly args: readonly string[]
  readonly tty: string | null
}

export interface Supervised extends SupervisedRecord {
  /** Where the files of a handover are written. */
  readonly directory: string
  /** When `retake claude` was started, in ms since 1970. */
  readonly since: number
  /** Retake has not restarted it yet. */
  readonly isFirst: boolean
  /** The agent's process that has the session open now. */
  readonly process: LiveProcess
}

const DIRECTORY = 'supervised'
const RECORD = 'record.json'

/** Records that this process becomes the loop. Returns the directory for handovers. */
export function recordSupervised(
  disk: Disk,
  { runtime }: Places,
  start: Pick<SupervisedRecord, 'agent' | 'program' | 'args' | 'tty'>,
): string {
  const { pid } = process
  const directory = makePrivateDirectory(disk, runtime, [DIRECTORY, String(pid)])
  drop(disk, directory, [RECORD, ...HANDOVER])
  const started = inspectProcess(pid)?.started ?? ''
  const record: SupervisedRecord = { schema: 'retake.supervised/1', pid, started, ...start }
  writeOnce(disk, directory, RECORD, Buffer.from(JSON.stringify(record)))
  return directory
}

/**
 * The loop under which a session is open, if no other process has it open: another one would write
 * its own end of the conversation.
 */
export function findSupervised(machine: Machine, session: string): Supervised | null {
  const directory = `${machine.places.runtime}/${DIRECTORY}`
  const names = listDirectory(directory).map(({ name }) => name)
  if (names.length === 0) return null
  const open = findLiveProcesses(machine).filter((each) => each.session === session)
  const [only] = open
  if (only === undefined || open.length > 1 || !only.interactive) return null
  for (const name of names) {
    const own = `${directory}/${name}`
    const record = readRecord(machine.disk, own)
    if (record === null || !isBelowProcess(only.pid, record.pid)) continue
    const isFirst = statPath(`${own}/restarted`) === null
    const since = Number(statPath(`${own}/${RECORD}`)?.mtimeMs ?? 0)
    return { ...record, directory: own, since, isFirst, process: only }
  }
  return null
}

export function isSupervised(machine: Machine, session: string): boolean {
  return findSupervised(machine, session) !== null
}

export const HANDOVER = ['by', 'ending', 'next', 'trial', 'asking', 'restarted'] as const

/** Null while another process is asking in this terminal: its answer counts for both. */
export function claimQuestion(disk: Disk, { directory }: Supervised): Disposable | null {
  const path = `${directory}/asking`
  const owner = Number(readOwnFile(disk, path) ?? 0)
  if (owner !== 0 && inspectProcess(owner) !== null) return null
  drop(disk, directory, ['asking'])
  writeOnce(disk, directory, 'asking', Buffer.from(String(process.pid)))
  return { [Symbol.dispose]: () => drop(disk, directory, ['asking']) }
}

/** Null if its loop has ended. Removes what a killed loop left behind. */
function readRecord(disk: Disk, directory: string): SupervisedRecord | null {
  const record = parse(readOwnFile(disk, `${directory}/${RECORD}`))
  if (record === null) return null
  if (inspectProcess(record.pid)?.started === record.started) return record
  drop(disk, directory, [RECORD, ...HANDOVER])
  try {
    disk.removeDirectory(nameBytes(directory))
  } catch {
    // Another process has removed it, or a newer loop uses it.
  }
  return null
}

function parse(bytes: Buffer | null): SupervisedRecord | null {
  try {
    const record = JSON.parse(String(bytes)) as SupervisedRecord | null
    return record?.schema === 'retake.supervised/1' ? record : null
  } catch {
    return null
  }
}

export function drop(disk: Disk, directory: string, names: readonly string[]): void {
  for (const name of names) removeIfExists(disk, nameBytes(`${directory}/${name}`))
}
