import { findProgram } from '#disk'
import { one, run, type Cache } from '#store'
import type { Proof, ProofPlaces, Proofs } from '../../versions.ts'
import type { ProbeAnswer } from './probe.ts'

// Results are cached by version and by the program's path, size and time.
const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE
/** A failure may be due to a busy machine; another version under the same name may be replaced. */
const KEPT_MS: Record<ProbeAnswer, number> = {
  obeys: Infinity,
  'does-not': DAY,
  'another-version': MINUTE,
}
const RUN_TIMEOUT_MS = 15_000

export function openProofs(cache: Cache | null): Proofs {
  const last = new Map<string, Proof>()
  const trials = new Map<string, Promise<Proof>>()
  const kept = new Map<string, Kept>()
  const find = async (version: string, places: ProofPlaces): Promise<Proof> => {
    const program = findProgram('claude', places.programs, places)
    if (program === null) return 'no-program'
    const name = `${program.identity} ${version}`
    const known =
      kept.get(name) ?? cache?.attempt((database) => readKept(database, program.identity, version))
    const now = places.now().getTime()
    if (known && now - known.at < KEPT_MS[known.answer]) return known.answer
    const answer = await tryProgram(program.path, version, places)
    if (answer === null) return 'no-trial'
    kept.set(name, { answer, at: now })
    cache?.attempt((database) => {
      const sql = 'insert or replace into proofs values (?, ?, ?, ?)'
      run(database, sql, program.identity, version, answer, now)
    })
    return answer
  }
  return {
    of: (version) => last.get(version) ?? null,
    async prove(version, places) {
      // Concurrent callers wait for the same trial.
      const trial = trials.get(version) ?? find(version, places)
      trials.set(version, trial)
      try {
        const proof = await trial
        last.set(version, proof)
        return proof
      } finally {
        trials.delete(version)
      }
    },
  }
}

/** Null if no trial was possible: no place to write, or no port to listen on. */
async function tryProgram(
  program: string,
  version: string,
  places: ProofPlaces,
): Promise<ProbeAnswer | null> {
  // Loaded on demand: it is rarely needed, and every command would pay for it.
  const { probeVersion } = await import('./probe.ts')
  try {
    return await probeVersion({
      version,
      program,
      directories: places.programs.filter((each) => !isBelow(each, places.outside)),
      scratch: places.scratch,
      timeoutMs: RUN_TIMEOUT_MS,
      at: places.now(),
      newId: () => places.newId(),
    })
  } catch {
    // The conversation can continue in a new session without it.
    return null
  }
}

interface Kept {
  readonly answer: ProbeAnswer
  readonly at: number
}

function readKept(
  database: Parameters<typeof one>[0],
  program: string,
  version: string,
): Kept | null {
  const sql = 'select answer, at from proofs where program = ? and version = ?'
  const row = one(database, sql, program, version)
  const answer = String(row?.['answer'])
  return answer in KEPT_MS ? { answer: answer as ProbeAnswer, at: Number(row!['at']) } : null
}

function isBelow(path: string, directories: readonly string[]): boolean {
  return directories.some((each) => path === each || path.startsWith(`${each}/`))
}
