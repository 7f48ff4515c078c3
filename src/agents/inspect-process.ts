import { spawnSync } from 'node:child_process'
import { readSmallFile } from '#disk'

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
