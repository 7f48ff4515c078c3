/** Versions that were measured to obey a new rollout; those between them are assumed to. */
export const measuredVersions = ['0.148.0', '0.152.0', '0.160.0', '0.166.0', '0.169.0'] as const

export function isMeasured(version: string | null): boolean {
  const [first, last] = [measuredVersions[0], measuredVersions.at(-1)!]
  return version !== null && compare(version, first) >= 0 && compare(version, last) <= 0
}

function compare(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => text.split(/[.-]/).map((part) => Number(part) || 0))
  for (const i of [0, 1, 2]) {
    const difference = (one![i] ?? 0) - (other![i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
