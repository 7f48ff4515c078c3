import { spawnSync } from 'node:child_process'
import { readSmallFile, statPath } from '#disk'
import { signalReaches } from './events/signal-reaches.ts'

/** Distinguishes a process from a later one with the same pid, and names its parent. */
export interface ProcessInfo {
  readonly parent: number
  readonly started: string
}

const MAX_STAT_BYTES = 64 * 1024

/** Null if no process has that pid. */
export function inspectProcess(pid: number): ProcessInfo | null {
  if (process.platform !== 'linux') return runPs(pid)
  const stat = readSmallFile(`/proc/${pid}/stat`, MAX_STAT_BYTES)
  if (stat === null) return null
  // The name can contain spaces and parentheses, so count fields from the last parenthesis.
  const text = stat.toString('latin1')
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // Field 22 is the start time. A zombie has exited, but its parent has not noticed yet.
  return state === 'Z' ? null : { parent: Number(parent), started: rest[17]! }
}

/** Linux counts start times in these, on every machine that Node supports. */
const TICK_MS = 10
const MAX_PROC_STAT_BYTES = 1024 * 1024

/** When a process started, in ms since 1970, to about a second. Null if it ended or nothing tells. */
export function startTimeOf(pid: number): number | null {
  const started = inspectProcess(pid)?.started
  if (started === undefined) return null
  if (process.platform !== 'linux') return Date.parse(`${started} UTC`) || null
  const stat = String(readSmallFile('/proc/stat', MAX_PROC_STAT_BYTES))
  const booted = /^btime (\d+)$/m.exec(stat)?.[1]
  return booted === undefined ? null : Number(booted) * 1000 + Number(started) * TICK_MS
}

/** Start times are rounded, and the clock may have been set a little since. */
const SLACK_MS = 5000

/**
 * Whether the process that had this pid at that time, in ms since 1970, still runs. A signal also
 * reaches a zombie, and a later process that was given the same pid.
 */
export function stillRuns(pid: number, at: number): boolean {
  if (!signalReaches(pid)) return false
  const isReadable = process.platform !== 'linux' || statPath('/proc/self/stat') !== null
  if (!isReadable) return true
  const started = startTimeOf(pid)
  return started !== null && started <= at + SLACK_MS
}

/** Whether a process is `ancestor` or one of its descendants. */
export function isBelowProcess(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; at = inspectProcess(at)?.parent ?? 0) if (at === ancestor) return true
  return false
}

/** Off Linux only `ps` knows. Without a fixed language and time zone its dates would vary. */
const PS = { encoding: 'utf8', env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' } } as const

function runPs(pid: number): ProcessInfo | null {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,stat=,lstart=', '-p', String(pid)], PS)
  const found = /^\s*(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(stdout ?? '')
  if (found === null || found[2]!.startsWith('Z')) return null
  return { parent: Number(found[1]), started: found[3]! }
}

/**
 * When each process started, as `ps` words it. One call for all, because each takes milliseconds.
 * Processes that do not exist are missing, and all are if `ps` cannot be run.
 */
export function readStartTimes(pids: readonly number[]): ReadonlyMap<number, string> {
  if (pids.length === 0) return new Map()
  const { stdout } = spawnSync('ps', ['-o', 'pid=,lstart=', '-p', pids.join(',')], PS)
  const found = [...(stdout ?? '').matchAll(/^\s*(\d+)\s+(.+?)\s*$/gmu)]
  return new Map(found.map(([, pid, started]) => [Number(pid), started!]))
}
