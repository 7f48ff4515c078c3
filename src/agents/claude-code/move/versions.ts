import { compareVersions } from '../../compare-versions.ts'
import type { ClaudeSession } from '../session/index.ts'

/**
 * Versions of Claude Code whose resuming was measured with the real program. All of them obey the
 * lines that Retake appends. Versions between two of them are assumed to; others are tested first
 * (see proofs).
 */
export const measuredVersions = [
  '2.0.76',
  '2.1.100',
  '2.1.116',
  '2.1.126',
  '2.1.138',
  '2.1.150',
  '2.1.197',
  '2.1.325',
] as const

/** The oldest version known to obey an explicit pointer; before, the newest row counts. */
const FIRST_TO_POINT = '2.1.126'
/** The oldest version known to obey a pointer to nothing. */
const FIRST_TO_EMPTY = '2.1.197'

/** The version that wrote the newest prompt; null if no row has one. */
export function versionOf({ transcript }: ClaudeSession): string | null {
  return transcript.rows.findLast((row) => row.prompt?.version != null)?.prompt?.version ?? null
}

export function isMeasured(version: string | null): boolean {
  const [first, last] = [measuredVersions[0], measuredVersions.at(-1)!]
  return (
    version !== null && compareVersions(version, first) >= 0 && compareVersions(version, last) <= 0
  )
}

/**
 * Whether the agent obeys pointers. In the file of an older version, a pointer would keep the head
 * in place after the agent continued, because it hangs its next prompt next to Retake's row.
 */
export function usesPointers(session: ClaudeSession): boolean {
  const version = versionOf(session)
  if (version === null || session.transcript.pointers.length > 0) return true
  return writesPointers(version)
}

/** Whether this version writes pointers. */
export function writesPointers(version: string): boolean {
  return compareVersions(version, FIRST_TO_POINT) >= 0
}

export function canBeEmptied(session: ClaudeSession): boolean {
  const version = versionOf(session)
  return version !== null && compareVersions(version, FIRST_TO_EMPTY) >= 0
}
