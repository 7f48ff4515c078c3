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

function runPs(pid: number): ProcessInfo | null {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  })
  const found = /^\s*(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(stdout)
  if (found === null || found[2]!.startsWith('Z')) return null
  return { parent: Number(found[1]), started: found[3]! }
}
