/** Faults in the real command line, for every operation: kills, errors and lies of the kernel. */
import { constants } from 'node:os'
import { equal, ok } from 'node:assert/strict'
import { inspect } from '../../verifier/inspect.ts'
import { verifyOrThrow } from '../../verifier/verify.ts'
import { testOperations, recoverWorld } from '../operations.ts'
import type { Part } from '../part.ts'
import { readyFor } from '../shared-world.ts'
import { noCompiler } from '../shim.ts'
import { ERRNOS } from './crashes.ts'

const operations = testOperations
  .filter(({ isOperation }) => isOperation === true)
  .map(({ name }) => name)
/** Deeds that print a receipt and change files and conversation. */
const MOVES = ['undo 2', 'redo', 'switch', 'branch']

const killed: Part = {
  name: 'kill-command',
  goal: 'R1',
  fault: `SIGKILL right before a call of libc of the command line: ${testOperations.map(({ name }) => name).join(', ')}`,
  usual: 510,
  more: 5100,
  pieces: testOperations.length,
  unable: noCompiler,
  async try({ runs, piece, random, point, note }) {
    const { w, ready } = await readyFor(testOperations[piece % testOperations.length]!.name)
    for (let number = 0; number < runs; number += 1) {
      const at = 1 + random.below(ready.calls)
      const before = ready.begin()
      const ran = ready.perform({ env: { FAULT: 'kill', FAULT_AT: String(at) } })
      const where = `${ready.operation.name}, call ${at} of ${ready.calls}, ${ran.signal ?? 'not killed'}`
      await point(
        () => where,
        () => {
          recoverWorld(w)
          const side = verifyOrThrow(w.root, ready.expected(before, ran))
          if (ran.signal !== null) note(`killed, then ${side}: 1`)
        },
      )
    }
  },
}

const errors: Part = {
  name: 'errors-command',
  goal: 'R3',
  fault: `${ERRNOS.length} errors at calls of libc of the command line, SQLite’s included: ${MOVES.join(', ')}`,
  usual: 240,
  more: 4800,
  pieces: 24,
  unable: noCompiler,
  async try({ runs, piece, random, point }) {
    const { w, ready } = await readyFor(MOVES[piece % MOVES.length]!)
    for (let number = 0; number < runs; number += 1) {
      const at = 1 + random.below(ready.calls)
      const errno = ERRNOS[number % ERRNOS.length]!
      const code = String(constants.errno[errno as keyof typeof constants.errno])
      // Every third fault persists, as on a full disk.
      const fault = number % 3 === 0 ? 'fail-on' : 'fail'
      const before = ready.begin()
      const ran = ready.perform({ env: { FAULT: fault, FAULT_AT: String(at), FAULT_ERRNO: code } })
      const where = `${ready.operation.name}, ${errno} ${fault === 'fail' ? 'at' : 'from'} call ${at} of ${ready.calls}: ${ran.code}`
      await point(
        () => where,
        () => {
          equal(ran.signal, null, `${where}: it crashed: ${ran.stderr}`)
          recoverWorld(w)
          verifyOrThrow(w.root, ready.expected(before, ran))
        },
      )
    }
  },
}

const lies: Part = {
  name: 'lies',
  goal: 'R15',
  fault: 'a write to the project or a transcript that reports success and did not happen',
  usual: 24,
  more: 240,
  pieces: MOVES.length,
  unable: noCompiler,
  async try({ runs, piece, point, note }) {
    const { w, ready } = await readyFor(MOVES[piece % MOVES.length]!)
    const places = [w.project, `${w.home}/.claude`]
    for (let number = 0; number < runs; number += 1) {
      const below = places[number % 2]!
      const at = String(1 + Math.floor(number / 2) * 2)
      const before = ready.begin()
      const ran = ready.perform({ env: { FAULT: 'lie', FAULT_AT: at, FAULT_BELOW: below } })
      await point(
        () => `${ready.operation.name}, call ${at} below ${below}: ${ran.code}`,
        () => {
          recoverWorld(w)
          verifyOrThrow(w.root, ready.expected(before, ran))
          if (ran.code !== 0) note('seen, and not said to be done: 1')
        },
      )
    }
  },
}

const undoable: Part = {
  name: 'undoable',
  goal: 'R14',
  fault: `every operation undone by \`op undo\`, and that undone again: ${operations.join(', ')}`,
  usual: null,
  pieces: operations.length,
  async try({ piece, point }) {
    const name = operations[piece]!
    const { w, ready } = await readyFor(name)
    await point(
      () => name,
      () => {
        const before = ready.begin()
        let last = ready.perform()
        equal(last.code, 0, last.stdout)
        const after = inspect(w.root)
        for (const wanted of [before, after]) {
          // By number: without one, `op undo` skips operations that are themselves an op undo
          // (sem.O2).
          const { operation } = JSON.parse(last.stdout) as { operation: number }
          last = w.retake(['op', 'undo', String(operation), '--json', '--session', w.session])
          equal(last.code, 0, last.stdout)
          const now = inspect(w.root)
          for (const path of new Set([...wanted.project.keys(), ...now.project.keys()]))
            equal(now.project.get(path)?.line, wanted.project.get(path)?.line, path)
        }
        const { code, stdout } = w.retake(['check', '--read-data', '--json'])
        equal(code, 0, stdout)
        ok(stdout.includes('"contents": []'), stdout)
      },
    )
  },
}

export const commandLine: readonly Part[] = [killed, errors, lies, undoable]
