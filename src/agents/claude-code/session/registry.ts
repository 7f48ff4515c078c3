import { listDirectory, readSmallFile } from '#disk'
import type { LiveProcess } from '../../agent.ts'
import { signalReaches } from '../../events/signal-reaches.ts'
import { readStartTimes } from '../../inspect-process.ts'
import { registryDirectory } from '../steps/index.ts'
import { field, string } from '../rows/index.ts'

const MAX_ENTRY_BYTES = 64 * 1024

/**
 * The sessions that running processes have open, from Claude Code's own registry. A process that
 * died leaves its entry, and its pid may be reused: the start time detects both.
 */
export function findLiveProcesses(config: string): LiveProcess[] {
  const directory = registryDirectory(config)
  const entries = listDirectory(directory).flatMap(({ name }) => {
    const pid = /^(\d+)\.json$/.exec(name)?.[1]
    if (pid === undefined) return []
    const entry = parse(readSmallFile(`${directory}/${name}`, MAX_ENTRY_BYTES))
    const session = string(field(entry, 'sessionId'))
    return session === null ? [] : [{ pid: Number(pid), session, entry }]
  })
  const isRunning = runningTest(entries.map(({ pid }) => pid))
  return entries.flatMap(({ pid, session, entry }): LiveProcess[] => {
    if (!isRunning(pid, field(entry, 'procStart'))) return []
    const status = field(entry, 'status')
    return [
      {
        pid,
        session,
        // Without a status it may be writing, so treat it as busy.
        status: status === 'idle' || status === 'shell' ? 'idle' : 'busy',
        runsShell: status === 'shell',
        interactive: field(entry, 'kind') === 'interactive',
        cwd: string(field(entry, 'cwd')),
        version: string(field(entry, 'version')),
        startedAt: Number(field(entry, 'startedAt')) || 0,
        statusSince: Number(field(entry, 'statusUpdatedAt')) || null,
      },
    ]
  })
}

/** An entry has at most a few nested objects. */
const MAX_ENDS = 16

/**
 * The agent overwrites its entry and then cuts off what remains of a longer old one. In between,
 * the entry is only the first object: without it the agent would seem to have left the session.
 */
function parse(bytes: Buffer | null): unknown {
  const text = bytes?.toString('utf8') ?? ''
  let end = -1
  for (let tried = 0; tried < MAX_ENDS; tried++) {
    end = text.indexOf('}', end + 1)
    if (end === -1) return undefined
    try {
      return JSON.parse(text.slice(0, end + 1))
    } catch {
      // The object ends at a later brace.
    }
  }
  return undefined
}

/** Whether a process runs that started when the entry says. */
type RunningTest = (pid: number, started: unknown) => boolean

function runningTest(pids: readonly number[]): RunningTest {
  if (process.platform === 'linux') return isRunningOnLinux
  const alive = pids.filter(signalReaches)
  const times = readStartTimes(alive)
  return (pid, started) => {
    if (!alive.includes(pid)) return false
    const since = times.get(pid)
    // Older versions do not record their start time.
    if (since === undefined || typeof started !== 'string') return true
    // Claude Code writes what `ps` says, without the spaces around it.
    return since === started.trim()
  }
}

const isRunningOnLinux: RunningTest = (pid, started) => {
  const stat = readSmallFile(`/proc/${pid}/stat`, MAX_ENTRY_BYTES)
  if (stat === null) return false
  // Older versions do not record their start time.
  if (typeof started !== 'string' && typeof started !== 'number') return true
  // The name can contain spaces and parentheses, so count fields from the last parenthesis. The
  // start time is field 22, the 20th after the name.
  const text = stat.toString('latin1')
  const since = text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  return since === String(started)
}
