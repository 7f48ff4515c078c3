/** Versions that were measured to obey a new rollout; those between them are assumed to. */
const [FIRST, LAST] = ['0.148.0', '0.169.0'] as const

export function isMeasured(version: string | null): boolean {
  return version !== null && compare(version, FIRST) >= 0 && compare(version, LAST) <= 0
}

function compare(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => text.split(/[.-]/).map((part) => Number(part) || 0))
  for (const i of [0, 1, 2]) {
    const difference = (one![i] ?? 0) - (other![i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
