import { listDirectory, readSmallFile } from '#disk'
import type { LiveProcess } from '../../agent.ts'
import { signalReaches } from '../../events/signal-reaches.ts'
import { registryDirectory } from '../steps/index.ts'
import { field, string } from '../rows/index.ts'

const LARGEST = 64 * 1024

/**
 * The sessions that running processes hold, from Claude Code's own registry. A process that died
 * leaves its entry, and its pid can be another program's now: both are told by the start time.
 */
export function findLiveProcesses(config: string): LiveProcess[] {
  const directory = registryDirectory(config)
  const found: LiveProcess[] = []
  for (const { name } of listDirectory(directory)) {
    const pid = /^(\d+)\.json$/.exec(name)?.[1]
    if (pid === undefined) continue
    const entry = parse(readSmallFile(`${directory}/${name}`, LARGEST))
    const session = string(field(entry, 'sessionId'))
    const status = field(entry, 'status')
    if (session === null || !isRunning(Number(pid), field(entry, 'procStart'))) continue
    found.push({
      pid: Number(pid),
      session,
      // Without a status nobody knows whether it writes: it must be taken as busy.
      status: status === 'idle' || status === 'shell' ? 'idle' : 'busy',
      runsShell: status === 'shell',
      interactive: field(entry, 'kind') === 'interactive',
      cwd: string(field(entry, 'cwd')),
      version: string(field(entry, 'version')),
      startedAt: Number(field(entry, 'startedAt')) || 0,
    })
  }
  return found
}

function parse(bytes: Buffer | null): unknown {
  if (bytes === null) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function isRunning(pid: number, started: unknown): boolean {
  const stat = readSmallFile(`/proc/${pid}/stat`, LARGEST)
  // Where there is no /proc (macOS).
  if (stat === null) return process.platform !== 'linux' && signalReaches(pid)
  // Older versions do not say when they started.
  if (typeof started !== 'string' && typeof started !== 'number') return true
  // The name can hold spaces and parentheses; fields are counted from the last one on. The start
  // time is field 22 of the line, so the 20th after the name.
  const text = stat.toString('latin1')
  const since = text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  return since === String(started)
}
