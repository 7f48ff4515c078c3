/** What tests ask about processes: /proc tells on Linux, `ps` elsewhere. */
import { execFileSync } from 'node:child_process'
import { existsSync, isPretending, readProcFile } from './pretend-platform.ts'

/** Under `PLATFORM=darwin` the agent is still Linux's. */
function hasProc(): boolean {
  return process.platform === 'linux' || (isPretending && existsSync('/proc/self/stat'))
}

/** When a process started, as Claude Code records it. */
export function procStartOf(pid: number): string {
  return hasProc() ? statOf(pid)![19]! : ps(pid, 'lstart')
}

/** The letter of a process's state, such as `T` for a suspended one, or `gone`. */
export function stateOf(pid: number): string {
  const state = hasProc() ? (statOf(pid)?.[0] ?? '') : ps(pid, 'stat').slice(0, 1)
  return state === '' ? 'gone' : state
}

/** The command line of a running process; a zombie has none. */
export function commandOf(pid: number): string {
  if (hasProc()) return (read(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim()
  return stateOf(pid) === 'Z' ? '' : ps(pid, 'args')
}

/** Megabytes in memory. */
export function memoryOf(pid: number): number {
  if (!hasProc()) return Number(ps(pid, 'rss')) / 1024
  return Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status')!)![1]) / 1024
}

/** The fields of a process after its name, which may contain spaces and parentheses. */
function statOf(pid: number): string[] | null {
  const stat = read(pid, 'stat')
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(pid: number, name: string): string | null {
  try {
    return readProcFile(`/proc/${pid}/${name}`)
  } catch {
    return null
  }
}

function ps(pid: number, column: string): string {
  try {
    const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { env, encoding: 'utf8' }).trim() // prettier-ignore
  } catch {
    return ''
  }
}
