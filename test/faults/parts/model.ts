/** Random histories against a model. */
import { checkModel } from '../../crash/model.ts'
import type { Part } from '../part.ts'

export const model: readonly Part[] = [
  {
    name: 'model',
    goal: 'R5',
    fault:
      'random acts of users and operations, with deaths, errors, full disks, saves and stops at random calls, against a model',
    usual: 100_000,
    more: 1_000_000,
    pieces: 100,
    async try({ runs, seed, survived, note }) {
      const { acts, outcomes } = await checkModel(runs, seed)
      survived(acts)
      for (const [name, count] of Object.entries(outcomes))
        note(`${name.replace(': ', ', ')}: ${count}`)
    },
  },
]
