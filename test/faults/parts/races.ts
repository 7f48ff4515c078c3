/** Concurrent editors, processes and symlink swaps. */
import { countTogether, flipDirectory, openTogether, raceEditor } from '../../crash/races.ts'
import type { Part } from '../part.ts'

const STYLES = ['in-place', 'atomic', 'append']

export const races: readonly Part[] = [
  {
    name: 'saves',
    goal: 'R6',
    fault: 'a program that saves its file while it is restored: in place, atomically, by appending',
    usual: 100_000,
    pieces: 100,
    async try({ runs, piece, seed, survived, note }) {
      const { restored } = await raceEditor(STYLES[piece % STYLES.length]!, runs, seed)
      survived(runs)
      note(`restored meanwhile: ${restored}`)
    },
  },
  {
    name: 'processes',
    goal: 'R7',
    fault: 'operations of eight processes on one project',
    usual: 8 * 2000,
    more: 8 * 10_000,
    pieces: 40,
    async try({ runs, survived }) {
      const each = Math.ceil(runs / 8)
      await countTogether(8, each)
      survived(8 * each)
    },
  },
  {
    name: 'openings',
    goal: 'R7',
    fault: 'eight processes that open a new project’s store at the same moment',
    usual: 8 * 400,
    more: 8 * 2000,
    pieces: 8,
    async try({ runs, survived }) {
      const projects = Math.ceil(runs / 8)
      await openTogether(8, projects)
      survived(8 * projects)
    },
  },
  {
    name: 'flips',
    goal: 'R11',
    fault: 'a directory swapped for a link to elsewhere while a file in it is restored',
    usual: 1_000_000,
    pieces: 50,
    async try({ runs, survived, note }) {
      const { writes } = await flipDirectory(runs)
      survived(runs)
      note(`restored meanwhile: ${writes}`)
    },
  },
]
