/** Random histories of turns and operations, which must return to their earlier trees. */
import { agentWorld } from '../../histories/agent-world.ts'
import { engineWorld } from '../../histories/engine-world.ts'
import type { MakeWorld } from '../../histories/run-history.ts'
import { seedsOf, tryHistory, type HistoryKind } from '../../histories/try-histories.ts'
import type { Part, Task } from '../part.ts'

// In parallel, because most of a played turn waits for the file system's clock.
const TOGETHER = 6

export const histories: readonly Part[] = [
  {
    name: 'histories',
    goal: 'R5',
    fault:
      'random turns (shell, Write, Edit, git), undo, redo, rewind, switch, revert, restore and op undo: a state that is reached again has the same tree, and nothing is in conflict',
    usual: 10_000,
    pieces: 100,
    try: (task) =>
      playAll(task, TOGETHER, (kind) => async (random) => engineWorld({ ...kind, uuid: () => random.uuid() })), // prettier-ignore
  },
  {
    name: 'agent-histories',
    goal: 'R5',
    fault: 'the same with the real agent and its hooks',
    usual: 100,
    more: 1000,
    pieces: 20,
    try: (task) => playAll(task, 1, (kind) => () => agentWorld(kind)),
  },
]

async function playAll(
  { runs, seed, point, note }: Task,
  together: number,
  make: (kind: HistoryKind) => MakeWorld,
): Promise<void> {
  const seeds = seedsOf(seed, runs)
  note(`first history: ${seeds[0]}`)
  const work = async (): Promise<void> => {
    for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
      const own = next
      await point(() => `history ${own}`, () => tryHistory(own, make)) // prettier-ignore
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: together }, work))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}
