import type { CombinedLink } from './combined-link.ts'

/** Agents write `NAME.tmp.PID.RANDOM` and rename it to `NAME`. */
const TEMPORARY = /\.tmp\.\d+\.[0-9a-f]{12,13}$/u

/**
 * Whether a scan met an agent's temporary file just before its rename. It could not be read and is
 * gone, so a plan must not list it as skipped.
 */
export function isTemporaryWrite(
  { path, before, after }: Pick<CombinedLink, 'path' | 'before' | 'after'>,
  exists: (path: string) => boolean,
): boolean {
  const isUnread = [before, after].every(({ kind }) => kind === 'absent' || kind === 'unknown')
  return isUnread && TEMPORARY.test(path) && !exists(path)
}
