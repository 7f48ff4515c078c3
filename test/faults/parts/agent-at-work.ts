/** An agent that keeps writing to the same files while turns are undone and redone. */
import { equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyOperation, openProject, planOperation, recoverProject } from '#engine'
import { Failure } from '#failure'
import { machineOf } from '../../storage/in-process.ts'
import { BytesLost } from '../../verifier/bytes-lost.ts'
import { readStore } from '../../verifier/read-store.ts'
import type { Part } from '../part.ts'
import { readyFor } from '../shared-world.ts'

export const agentAtWork: readonly Part[] = [
  {
    name: 'undos',
    goal: 'R8',
    fault:
      'undo and redo while an agent appends to files a thousand times a second, sometimes to one that is being changed',
    usual: 1000,
    pieces: 20,
    async try({ runs, survived, note }) {
      const { w, ready } = await readyFor('undo 2')
      ready.begin()
      using machine = machineOf(w)
      const files = ['a.txt', 'new/c.txt'].map((path) => join(w.project, path))
      const program = fileURLToPath(new URL('../append-lines.ts', import.meta.url))
      const agent = spawn(process.execPath, [program, ...files])
      let said = ''
      agent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      const outcomes: Record<string, number> = {}
      const asked = { session: w.session, project: null }
      for (let number = 0; number < runs; number += 1) {
        const verb = number % 2 === 0 ? 'undo' : 'redo'
        using project = openProject(machine, w.project)
        let outcome: string
        try {
          const planned = await planOperation(machine, project, asked, { verb, count: 1 })
          if (planned.kind !== 'planned') outcome = planned.why
          else if (planned.plan.conflicts.length > 0) outcome = 'conflict'
          else {
            await applyOperation(machine, project, planned)
            outcome = 'done'
          }
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          outcome = error.code
        }
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        await new Promise(setImmediate)
      }
      const ended = once(agent, 'close')
      agent.stdin.end()
      await ended
      // A save into a file that was moved aside is found when that file is released.
      machine.later(2)
      {
        using project = openProject(machine, w.project)
        await recoverProject(machine, project)
      }
      const lines = linesKept(w.home, files)
      const counts = JSON.parse(said) as Record<string, number>
      let lost = 0
      for (const [file, count] of Object.entries(counts)) {
        ok(count > 0, `${file}: nothing was written`)
        for (let number = 1; number <= count; number += 1)
          if (!lines.get(file)!.has(`line ${number} of the agent`)) lost += 1
      }
      if (lost > 0) throw new BytesLost(`${lost} lines`, lost * 20)
      equal(readdirSync(w.project).filter((name) => name.startsWith('.retake-')).length, 0)
      survived(runs)
      for (const [name, count] of Object.entries(outcomes)) note(`${name}: ${count}`)
      ok((outcomes['done'] ?? 0) > 0, `nothing was undone: ${JSON.stringify(outcomes)}`)
      note(`lines of the agent: ${Object.values(counts).reduce((all, each) => all + each, 0)}`)
    },
  },
]

/** All lines at the paths and in every content of the store. */
function linesKept(home: string, files: readonly string[]): Map<string, Set<string>> {
  const projects = join(home, '.local/share/retake/projects')
  const store = join(projects, readdirSync(projects)[0]!)
  const held = [...readStore(store, 0, 'all').contents.values()].join('\n').split('\n')
  return new Map(
    files.map((file) => [file, new Set([...held, ...readFileSync(file, 'utf8').split('\n')])]),
  )
}
