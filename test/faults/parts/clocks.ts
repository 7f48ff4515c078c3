/** Clock jumps, and files that change without a new time or size. */
import { equal, ok } from 'node:assert/strict'
import { lstatSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../../verifier/inspect.ts'
import { verifyOrThrow } from '../../verifier/verify.ts'
import { recoverWorld } from '../operations.ts'
import type { Part } from '../part.ts'
import { readyFor } from '../shared-world.ts'
import { noCompiler } from '../shim.ts'

const HOUR = 60 * 60
const YEAR = 365 * 24 * HOUR
const JUMPS = [0, -10 * YEAR, 30 * YEAR, HOUR, -HOUR, -1, 60 * YEAR, -40 * YEAR]

export const clocks: readonly Part[] = [
  {
    name: 'clocks',
    goal: 'R20',
    fault:
      'undo, redo, undo, redo and op undo, each with a clock that jumped by seconds, hours or decades',
    usual: 40,
    pieces: 8,
    unable: noCompiler,
    async try({ runs, random, point }) {
      const { w, ready } = await readyFor('undo 2')
      for (let number = 0; number < runs; number += 1) {
        const jumps = Array.from({ length: 5 }, () => random.pick(JUMPS))
        await point(
          () => `seconds ahead: ${jumps.join()}`,
          () => {
            const before = ready.begin()
            const verbs = [['undo', '2'], ['redo', '2'], ['undo', '2'], ['redo', '2'], ['op', 'undo']] // prettier-ignore
            const wanted = [ready.after, before, ready.after, before, ready.after]
            for (const [n, verb] of verbs.entries()) {
              const { code, stdout } = w.retake([...verb, '--json', '--session', w.session], {
                env: { FAULT_CLOCK: String(jumps[n]) },
              })
              equal(code, 0, `${verb.join(' ')}: ${stdout}`)
              const now = inspect(w.root).project
              for (const path of new Set([...now.keys(), ...wanted[n]!.project.keys()]))
                equal(now.get(path)?.line, wanted[n]!.project.get(path)?.line, `${verb[0]} ${path}`)
            }
          },
        )
      }
    },
  },
  {
    name: 'same-time',
    goal: 'R20',
    fault: 'a file saved by the user with the same size and the same time, then undone',
    usual: 20,
    pieces: 2,
    async try({ runs, random, point }) {
      const { w, ready } = await readyFor('undo 2')
      for (let number = 0; number < runs; number += 1)
        await point(
          () => `save ${number}`,
          () => {
            ready.begin()
            const path = join(w.project, 'a.txt')
            const { atime, mtime } = lstatSync(path)
            const text = readFileSync(path, 'utf8').replace('FIVE', `${random.below(9000) + 1000}`)
            writeFileSync(path, text)
            utimesSync(path, atime, mtime)
            const before = inspect(w.root)
            const ran = ready.perform()
            ok(ran.code === 4, `not seen as a conflict: ${ran.code} ${ran.stdout}`)
            recoverWorld(w)
            verifyOrThrow(w.root, { before, after: before, isDone: false })
          },
        )
    },
  },
]
