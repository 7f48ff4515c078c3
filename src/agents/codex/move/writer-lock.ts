import { readSmallFile, statPath } from '#disk'

const MAX_LOCKS_BYTES = 16 * 1024 * 1024

/**
 * Whether a process of the agent has a thread open for writing: it holds a lock on a file of that
 * name. Without a list of locks, the file itself tells, since the agent removes it at the end.
 */
export function isBeingWritten(home: string, thread: string): boolean {
  const stat = statPath(`${home}/thread-writer-locks/${thread}.lock`)
  if (stat === null) return false
  const locks = readSmallFile('/proc/locks', MAX_LOCKS_BYTES)?.toString('latin1')
  if (locks === undefined) return true
  // `1: FLOCK  ADVISORY  WRITE 123 00:2e:456 0 EOF`; device numbers differ on some file systems.
  return locks.split('\n').some((line) => line.includes('FLOCK') && line.includes(`:${stat.ino} `))
}
