/** Flipped bits in Retake's data. */
import { flipBits } from '../../storage/flip-bits.ts'
import { machineOf } from '../../storage/in-process.ts'
import type { Part } from '../part.ts'
import { readyFor } from '../shared-world.ts'

export const damage: readonly Part[] = [
  {
    name: 'bits',
    goal: 'R13',
    fault: 'a flipped bit in the store or the vault: found by `check --read-data`, or of no effect',
    usual: 10_000,
    pieces: 20,
    async try({ runs, random, point, note }) {
      const { w, ready } = await readyFor('undo 2')
      ready.begin()
      ready.perform()
      using machine = machineOf(w)
      const counts = await flipBits(machine, w.project, {
        count: Math.ceil(runs / 2),
        random,
        point,
      })
      for (const { flips, found } of counts) {
        note(`found: ${found}`)
        note(`of no effect: ${flips - found}`)
      }
    },
  },
]
