import { spawnSync } from 'node:child_process'
import { readSmallFile } from '#disk'

/** What tells one process from a later one with the same pid, and who started it. */
export interface ProcessLook {
  readonly parent: number
  readonly started: string
}

const LARGEST = 64 * 1024

/** Null when no process has that pid. */
export function lookAtProcess(pid: number): ProcessLook | null {
  if (process.platform !== 'linux') return askPs(pid)
  const stat = readSmallFile(`/proc/${pid}/stat`, LARGEST)
  if (stat === null) return null
  // The name can hold spaces and parentheses, so fields count from the last parenthesis.
  const text = stat.toString('latin1')
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // Field 22 is the start time. A zombie has ended: its parent has only not noticed yet.
  return state === 'Z' ? null : { parent: Number(parent), started: rest[17]! }
}

/** Whether a process is `ancestor` or was started below it. */
export function isBelowProcess(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; at = lookAtProcess(at)?.parent ?? 0) if (at === ancestor) return true
  return false
}

function askPs(pid: number): ProcessLook | null {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
  })
  const found = /^\s*(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(stdout)
  if (found === null || found[2]!.startsWith('Z')) return null
  return { parent: Number(found[1]), started: found[3]! }
}
