import { compareVersions } from '../../compare-versions.ts'

/** Versions that were measured to obey a new rollout; those between them are assumed to. */
export const measuredVersions = ['0.148.0', '0.152.0', '0.160.0', '0.166.0', '0.169.0'] as const

export function isMeasured(version: string | null): boolean {
  const [first, last] = [measuredVersions[0], measuredVersions.at(-1)!]
  return (
    version !== null && compareVersions(version, first) >= 0 && compareVersions(version, last) <= 0
  )
}
