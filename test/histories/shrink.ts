import type { Act } from './history.ts'
import type { Wrong } from './wrong.ts'
import { replay, type MakeWorld } from './run-history.ts'

interface Found {
  readonly acts: readonly Act[]
  readonly wrong: Wrong
}

/** Finds fewer acts and commands that fail in the same way, within the given number of replays. */
export async function shrink(
  found: Found,
  make: MakeWorld,
  { seed, replays }: { seed: number; replays: number },
): Promise<Found> {
  let best = found
  let left = replays
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const acts of smaller(best.acts)) {
      if (left-- <= 0) return best
      const wrong = await replay(acts, make, seed)
      if (wrong?.kind !== found.wrong.kind) continue
      best = { acts, wrong }
      isSmaller = true
      break
    }
  }
  return best
}

function* smaller(acts: readonly Act[]): Iterable<readonly Act[]> {
  for (let size = acts.length >> 1; size > 1; size >>= 1)
    for (let i = 0; i + size < acts.length; i += size) yield acts.toSpliced(i, size)
  for (let i = acts.length - 1; i >= 0; i--) yield acts.toSpliced(i, 1)
  for (const [i, act] of acts.entries())
    for (const less of smallerAct(act)) yield acts.with(i, less)
}

function* smallerAct(act: Act): Iterable<Act> {
  if ((act.do === 'undo' || act.do === 'redo') && act.count > 1)
    yield { ...act, count: act.count - 1 }
  if (act.do !== 'turn') return
  for (const [j, step] of act.steps.entries()) {
    yield { ...act, steps: act.steps.toSpliced(j, 1) }
    if (!('bash' in step)) continue
    if (step.peek !== undefined) yield { ...act, steps: act.steps.with(j, { bash: step.bash }) }
    if (step.bash.length < 2) continue
    for (const k of step.bash.keys())
      yield { ...act, steps: act.steps.with(j, { ...step, bash: step.bash.toSpliced(k, 1) }) }
  }
}
