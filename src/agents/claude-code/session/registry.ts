import { listDirectory, readSmallFile } from '#disk'
import type { LiveProcess } from '../../agent.ts'
import { signalReaches } from '../../events/signal-reaches.ts'
import { registryDirectory } from '../steps/index.ts'
import { field, string } from '../rows/index.ts'

const MAX_ENTRY_BYTES = 64 * 1024

/**
 * The sessions that running processes have open, from Claude Code's own registry. A process that
 * died leaves its entry, and its pid may be reused: the start time detects both.
 */
export function findLiveProcesses(config: string): LiveProcess[] {
  const directory = registryDirectory(config)
  const found: LiveProcess[] = []
  for (const { name } of listDirectory(directory)) {
    const pid = /^(\d+)\.json$/.exec(name)?.[1]
    if (pid === undefined) continue
    const entry = parse(readSmallFile(`${directory}/${name}`, MAX_ENTRY_BYTES))
    const session = string(field(entry, 'sessionId'))
    const status = field(entry, 'status')
    if (session === null || !isRunning(Number(pid), field(entry, 'procStart'))) continue
    found.push({
      pid: Number(pid),
      session,
      // Without a status it may be writing, so treat it as busy.
      status: status === 'idle' || status === 'shell' ? 'idle' : 'busy',
      runsShell: status === 'shell',
      interactive: field(entry, 'kind') === 'interactive',
      cwd: string(field(entry, 'cwd')),
      version: string(field(entry, 'version')),
      startedAt: Number(field(entry, 'startedAt')) || 0,
      statusSince: Number(field(entry, 'statusUpdatedAt')) || null,
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
  const stat = readSmallFile(`/proc/${pid}/stat`, MAX_ENTRY_BYTES)
  // No /proc, for example on macOS.
  if (stat === null) return process.platform !== 'linux' && signalReaches(pid)
  // Older versions do not record their start time.
  if (typeof started !== 'string' && typeof started !== 'number') return true
  // The name can contain spaces and parentheses, so count fields from the last parenthesis. The
  // start time is field 22, the 20th after the name.
  const text = stat.toString('latin1')
  const since = text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  return since === String(started)
}
