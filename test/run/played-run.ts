/**
 * Runs of the real agent inside this process, on a session of a scene.
 *
 * ```ts
 * await using r = await runScene({ files: { a: '1\n' } })
 * r.model.on('go', [[bash('echo 2 > a')], 'done'])
 * const run = r.runs.converse({ session: r.id, project: null, prompt: 'go' })
 * expect(await run.ended).toBe('done')
 * expect(await r.undo()).toMatchObject({ turnsUndone: 1 })
 * ```
 */
import {
  applyOperation,
  commandAfterStop,
  openMachine,
  openProject,
  openRuns,
  planOperation,
  readSession,
  type Machine,
  type Run,
  type Runs,
} from '#engine'
import type { Command } from '#protocol'
import type { ReceiptReport } from '#timeline'
import { readEnvironment } from '../../src/cli/environment.ts'
import { claudeCode, helloSession } from '../agent/index.ts'
import { scriptedModel } from '../model/index.ts'
import { scene, type Scene, type SceneOptions } from '../scene.ts'

export interface RunScene extends AsyncDisposable {
  readonly s: Scene
  readonly model: Awaited<ReturnType<typeof scriptedModel>>
  readonly agent: ReturnType<typeof claudeCode>
  readonly machine: Machine
  readonly runs: Runs
  /** A session with one finished turn, "hello". */
  readonly id: string
  converse(prompt: string, more?: { permissionMode?: string; session?: string }): Run
  /** Stops the turn, then applies the command; null if the turn had not reached the transcript. */
  operate(command: Command, session?: string): Promise<ReceiptReport | null>
  /** The prompts up to the head, as Retake reads them. */
  prompts(): string[]
  /** The prompts that the real agent sends when another process resumes the session. */
  sent(session?: string): Promise<string[]>
}

export async function runScene(options: SceneOptions = {}): Promise<RunScene> {
  const s = await scene({ git: true, ...options })
  const model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('hello', 'hi')
  const id = await helloSession(s)
  const { places } = readEnvironment({ ...s.env }, {})
  const machine = openMachine(
    { ...places, cwd: s.project },
    { now: () => new Date(), newId: () => crypto.randomUUID() },
  )
  const runs = openRuns(machine, { environment: agent.env, executable: agent.binary })
  return {
    s,
    model,
    agent,
    machine,
    runs,
    id,
    converse: (prompt, { permissionMode = 'bypassPermissions', session = id } = {}) =>
      runs.converse({ session, project: null, prompt, permissionMode }),
    async operate(command, session = id) {
      const stopped = await runs.stop(session)
      const wanted = { session, project: null }
      const left =
        stopped === null
          ? command
          : commandAfterStop(command, stopped.run.turn, readSession(machine, wanted))
      if (left === null) return null
      using project = openProject(machine, s.project)
      const planned = await planOperation(machine, project, wanted, left)
      if (planned.kind === 'nothing-to-do') return null
      return await applyOperation(machine, project, planned)
    },
    prompts() {
      const { tree } = readSession(machine, { session: id, project: null })
      const end = tree.head === null ? 0 : tree.places.get(tree.head)! + 1
      return tree.line.slice(0, end).map((turn) => tree.turns.get(turn)!.prompt)
    },
    async sent(session = id) {
      await agent.probe(session)
      return model.userTexts().slice(0, -1)
    },
    async [Symbol.asyncDispose]() {
      await runs.close()
      machine[Symbol.dispose]()
      await model[Symbol.asyncDispose]()
      await s[Symbol.asyncDispose]()
    },
  }
}
