/**
 * The number of runs of a property: few by default, more with RUNS (`RUNS=50 vitest run
 * --testTimeout=0 src/timeline` runs fifty times as many).
 */
export function numRuns(usual: number): number {
  // This room is also type-checked as browser code, where `process` does not exist.
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  return usual * Number(process?.env['RUNS'] ?? 1)
}
