/**
 * How often a property is tried: few times in every test run, and more when somebody sets RUNS
 * (`RUNS=50 vitest run --testTimeout=0 src/timeline` tries fifty times as often).
 */
export function numRuns(usual: number): number {
  // The room is also checked as browser code, where there is no `process` to name.
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  return usual * Number(process?.env['RUNS'] ?? 1)
}
