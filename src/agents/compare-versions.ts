/** Compares the first three numbers: below 0 if `a` is older, above 0 if it is newer. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => text.split(/[.-]/).map((part) => Number(part) || 0))
  for (const i of [0, 1, 2]) {
    const difference = (one![i] ?? 0) - (other![i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
