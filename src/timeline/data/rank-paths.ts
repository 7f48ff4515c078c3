/**
 * The paths that match the typed text, best first: equal names, then names that start with it,
 * paths that contain it, and paths that have its letters in this order. Ignores case.
 */
export function rankPaths(paths: readonly string[], typed: string, limit: number): string[] {
  const wanted = typed.toLowerCase()
  if (wanted === '') return paths.slice(0, limit)
  const fits: string[][] = Array.from({ length: TIERS }, () => [])
  for (const path of paths) {
    const tier = tierOf(path.toLowerCase(), wanted)
    if (tier !== null) fits[tier]!.push(path)
  }
  const ranked: string[] = []
  for (const tier of fits) {
    if (ranked.length >= limit) break
    ranked.push(...tier.sort(byLength).slice(0, limit - ranked.length))
  }
  return ranked
}

const TIERS = 6

function tierOf(path: string, wanted: string): number | null {
  // The path of a directory ends in a slash.
  const end = path.endsWith('/') ? path.length - 1 : path.length
  const from = path.lastIndexOf('/', end - 1) + 1
  const name = path.slice(from, end)
  if (name === wanted || path === wanted) return 0
  if (name.startsWith(wanted)) return 1
  const at = path.indexOf(wanted)
  if (at === -1) return hasInOrder(path, wanted) ? 5 : null
  if (at === 0 || path.includes(`/${wanted}`)) return 2
  return name.includes(wanted) ? 3 : 4
}

function hasInOrder(path: string, wanted: string): boolean {
  let at = 0
  for (let index = 0; index < path.length && at < wanted.length; index++)
    if (path[index] === wanted[at]) at++
  return at === wanted.length
}

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}
