import { seededRandom, type Random } from '../reader/random.ts'
import { randomBash, randomEdit } from './commands.ts'
import type { Act, HistoryWorld, Operation, Step } from './history.ts'
import { Oracle } from './oracle.ts'
import { Wrong } from './wrong.ts'

export type MakeWorld = (random: Random) => Promise<HistoryWorld>

export interface Played {
  readonly acts: readonly Act[]
  readonly wrong: Wrong | null
}

/** A random history; each act is chosen by the current state of the project. */
export async function randomHistory(
  seed: number,
  make: MakeWorld,
  { length, git }: { length: number; git: boolean },
): Promise<Played> {
  const random = seededRandom(seed)
  await using world = await make(random)
  const oracle = new Oracle(world)
  const acts: Act[] = []
  try {
    while (acts.length < length) {
      const act = await nextAct(random, oracle, world, git)
      acts.push(act)
      await oracle.step(act)
      const back = wayBack(act, oracle, random)
      if (back === null) continue
      acts.push(back)
      await oracle.step(back)
    }
    return { acts, wrong: null }
  } catch (error) {
    if (error instanceof Wrong) return { acts, wrong: error }
    throw error
  }
}

/**
 * A restore, a choice or a move of files alone leaves a state of its own, which the next act must
 * leave. After files moved back alone, the conversation may also continue.
 */
function wayBack(act: Act, { path, isAside }: Oracle, random: Random): Act | null {
  if (isAside) return { do: 'op-undo' }
  if (act.do !== 'rewind' || act.only === undefined) return null
  if (path.includes(act.to ?? '') && random.chance(0.4)) return null
  return { do: 'rewind', to: path.at(-1)! }
}

/** Replays the same acts. */
export async function replay(
  acts: readonly Act[],
  make: MakeWorld,
  seed: number,
): Promise<Wrong | null> {
  await using world = await make(seededRandom(seed))
  const oracle = new Oracle(world)
  try {
    for (const act of acts) await oracle.step(act)
    return null
  } catch (error) {
    if (error instanceof Wrong) return error
    throw error
  }
}

async function nextAct(
  random: Random,
  oracle: Oracle,
  world: HistoryWorld,
  git: boolean,
): Promise<Act> {
  const { turns } = oracle
  if (turns.length < 2 || random.chance(0.4)) {
    const turn = { do: 'turn', prompt: `T${turns.length + 1}`, steps: randomSteps(random, oracle, git) } as const // prettier-ignore
    const { rewindable } = oracle
    const isRewound = world.rewinds && rewindable.length > 0 && random.chance(0.4)
    return isRewound ? { ...turn, rewoundTo: random.pick(rewindable) } : turn
  }
  if (!git && random.chance(0.08)) return { do: 'user', text: `mine ${random.below(1000)}\n` }
  const operation = await nextOperation(random, oracle)
  const onConflict = random.pick(['keep-mine', 'put-back', null, null] as const)
  return onConflict === null ? operation : { ...operation, onConflict }
}

async function nextOperation(random: Random, oracle: Oracle): Promise<Operation> {
  const { turns, path, reverted } = oracle
  const { prompts } = await oracle.line()
  const choice = random.below(100)
  if (choice < 27) return { do: 'undo', count: 1 + random.below(3) }
  if (choice < 49) return { do: 'redo', count: 1 + random.below(3) }
  if (choice < 55) return { do: 'rewind', to: random.pick([null, ...prompts]) }
  if (choice < 58 && !oracle.isBeforeFirst)
    return { do: 'rewind', to: random.pick(prompts), only: 'files' }
  if (choice < 70) return { do: 'switch', to: random.pick(turns) }
  if (choice < 79) return { do: 'op-undo' }
  if (choice < 82 && reverted.size === 0 && !oracle.hasMine)
    return { do: 'exact', to: random.pick(prompts) }
  if (choice < 88 && oracle.tree.size > 0) {
    const files = [...oracle.tree].filter(([, line]) => line.startsWith('file'))
    const file = files.length === 0 ? null : random.pick(files)[0]
    if (file !== null && random.chance(0.5)) return { do: 'revert-files', path: file }
    if (file !== null && reverted.size === 0)
      return { do: 'restore', path: file, at: random.pick(path) }
  }
  if (reverted.size > 0 && random.chance(0.6))
    return { do: 'revert', turn: random.pick([...reverted]), off: true }
  return { do: 'revert', turn: random.pick(path), off: false }
}

function randomSteps(random: Random, oracle: Oracle, git: boolean): Step[] {
  const steps: Step[] = []
  for (let count = 1 + random.below(2); count > 0; count--) {
    const edit = random.chance(0.25) ? randomEdit(random, oracle.tree) : null
    steps.push(edit ?? randomBash(random, oracle.tree, git))
  }
  return steps
}
