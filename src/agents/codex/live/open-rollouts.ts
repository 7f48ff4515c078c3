import { durableDisk, listDirectory, nameBytes, readSmallFile, statPath } from '#disk'
import { isThreadId } from '../rows/index.ts'
import type { LockHolder } from './locks.ts'

const MAX_BYTES = 4096
const ROLLOUT = /\/rollout-[\dT-]{19}-([0-9a-f-]{36})(?:_[0-9a-f-]{36})?\.jsonl$/
/** The two lowest bits of a file's flags: write only, or read and write. */
const WRITES = 3

/**
 * Which Codex processes have which session's rollout open for writing. Versions before 0.148.0 take
 * no lock. Only Linux tells; elsewhere the list is empty.
 */
export function findRolloutWriters(config: string): LockHolder[] {
  if (process.platform !== 'linux' || statPath(`${config}/sessions`) === null) return []
  return listDirectory('/proc').flatMap(({ name: pid }) =>
    /^\d+$/.test(pid) && commandOf(pid) === 'codex' ? writersIn(pid, config) : [],
  )
}

function commandOf(pid: string): string | undefined {
  return readSmallFile(`/proc/${pid}/comm`, MAX_BYTES)?.toString('latin1').trim()
}

function writersIn(pid: string, config: string): LockHolder[] {
  return listDirectory(`/proc/${pid}/fd`).flatMap(({ name: fd }) => {
    const path = targetOf(`/proc/${pid}/fd/${fd}`)
    const session = path?.startsWith(`${config}/`) === true ? ROLLOUT.exec(path)?.[1] : undefined
    if (session === undefined || !isThreadId(session)) return []
    return opensToWrite(`/proc/${pid}/fdinfo/${fd}`) ? [{ session, pid: Number(pid) }] : []
  })
}

/** Null if the process ended, or closed the file. */
function targetOf(link: string): string | null {
  try {
    return durableDisk.readLink(nameBytes(link)).toString()
  } catch {
    return null
  }
}

function opensToWrite(info: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(String(readSmallFile(info, MAX_BYTES)))?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & WRITES) !== 0
}
