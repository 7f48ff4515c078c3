/**
 * The contract that every agent adapter must fulfil. A subject says how to make its sessions and
 * what its program would send to the model; the tests use Retake for the rest.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Agent } from '#agents'
import { durableDisk, faultyDisk } from '#disk'
import {
  applyOperation,
  applyRescue,
  keepSessions,
  openMachine,
  openProject,
  planOperation,
  planRescue,
  readSession,
  readTurn,
  listSessions,
  type Machine,
  type Places,
} from '#engine'
import type { Command } from '#protocol'
import type { PlannedStep } from '#store'
import type { TurnId } from '#timeline'
import { has } from '../house/has-need.ts'
import type { Need } from '../house/needs-table.ts'
import { needs } from '../needs.ts'
import { readTree } from '../verifier/tree.ts'
import { placesOf } from '../storage/in-process.ts'

export interface Subject {
  readonly name: string
  /** The agent, with its data in this directory. */
  agent(directory: string): Agent
  /** A project and a session in it. Each turn writes `FILE` with its prompt and a newline. */
  play(prompts: readonly string[]): Promise<SubjectWorld>
  /** The prompts that the program would send to its model if the session were resumed. */
  resumed(world: SubjectWorld, session: string): Promise<string[]>
  /** Promises that the agent cannot fulfil, with the reason. */
  readonly skip: readonly { readonly what: keyof typeof PROMISES; readonly why: string }[]
  /** What the program needs on this machine. */
  readonly needs?: readonly Need[]
  /** The program is slow, so a series of moves checks it only after some of them. */
  readonly isSlow?: boolean
}

export interface SubjectWorld extends AsyncDisposable {
  readonly session: string
  readonly project: string
  /** The agent's data directory. */
  readonly directory: string
  readonly home: string
}

export const FILE = 'said.txt'

const PROMISES = {
  reads: 'lists and reads every session, whatever is damaged in it',
  head: 'the head is where the program would resume',
  moves: 'undo, redo, rewind and undoing everything are what the program resumes',
  branches: 'a branch session begins with the kept turns, and goes again by op undo',
  crash: 'a step that dies anywhere is taken to its end, once',
  stale: 'a step is not taken when the agent wrote meanwhile',
  rescue: 'a session whose files are gone is written back, and resumes',
} as const

const PROMPTS = ['one', 'two', 'three', 'four']

export function describeAgent(subject: Subject): void {
  const skipped = new Set(subject.skip.map(({ what }) => what))
  const wanted = subject.needs ?? []
  const promise = (what: keyof typeof PROMISES, prove: () => Promise<void>): void => {
    if (!skipped.has(what)) needs(...wanted)(`[port] ${PROMISES[what]}`, prove)
  }

  describe(subject.name, () => {
    let w: Opened
    const isHere = wanted.every(has)
    beforeAll(async () => {
      if (isHere) w = await open(subject)
    }, 120_000)
    afterAll(async () => {
      if (isHere) await w[Symbol.asyncDispose]()
    })

    promise('reads', async () => {
      const { machine, world, session } = w
      expect(listSessions(machine, world.project).map(({ id }) => id)).toEqual([session])
      expect(listSessions(machine, '/elsewhere')).toEqual([])
      const { tree, open: read } = readSession(machine, { session, project: null })
      expect(tree.line.map((id) => tree.turns.get(id)!.prompt)).toEqual(PROMPTS)
      for (const id of tree.line) {
        const { moments } = readTurn(machine, { session, project: null }, id, { reveal: false })
        const steps = moments.flatMap((moment) => (moment.kind === 'step' ? [moment.step] : []))
        expect(steps.map(({ kind }) => kind)).toContain('edit')
      }
      const whole = readFileSync(read.file.path)
      const copy = join(world.home, 'copy')
      writeFileSync(copy, whole)
      // Torn writes and garbage lines are reported or skipped; they never throw, and nothing else
      // is lost.
      for (let cut = 0; cut < whole.length; cut += Math.ceil(whole.length / 24)) {
        writeFileSync(read.file.path, whole.subarray(0, cut))
        const found = w.agent.sessions.find(session)
        if (found !== null) expect(() => machine.index.open(found)).not.toThrow()
      }
      writeFileSync(read.file.path, Buffer.concat([whole, Buffer.from('\0 no line\n')]))
      const damaged = readSession(machine, { session, project: null })
      expect(damaged.open.damage.length).toBeGreaterThan(0)
      expect(damaged.tree.line).toEqual(tree.line)
      writeFileSync(read.file.path, whole)
    })

    promise('head', async () => {
      expect(await w.resumed()).toEqual(PROMPTS)
    })

    promise('moves', async () => {
      const path = w.path()
      const written = readFileSync(path)
      const steps: [Command, string[], string | undefined][] = [
        [{ verb: 'undo', count: 1 }, ['one', 'two', 'three'], 'three'],
        [{ verb: 'undo', count: 2 }, ['one'], 'one'],
        [{ verb: 'redo', count: 1 }, ['one', 'two'], 'two'],
        [{ verb: 'rewind', turn: w.turn('four') }, PROMPTS, 'four'],
        [{ verb: 'rewind', turn: 0 }, [], undefined],
        [{ verb: 'redo', count: 4 }, PROMPTS, 'four'],
      ]
      for (const [n, [asked, kept, text]] of steps.entries()) {
        await w.operate(asked)
        const { tree } = readSession(w.machine, { session: w.session, project: null })
        const head = tree.head === null ? undefined : tree.turns.get(tree.head)!.prompt
        expect(head, JSON.stringify(asked)).toBe(kept.at(-1))
        if (subject.isSlow !== true || n % 2 === 1)
          expect(await w.resumed(), JSON.stringify(asked)).toEqual(kept)
        expect(readTree(w.world.project).get(FILE), JSON.stringify(asked)).toEqual(w.written(text))
      }
      // The agent's own bytes are unchanged.
      expect(readFileSync(path).subarray(0, written.length)).toEqual(written)
    })

    promise('branches', async () => {
      const before = listSessions(w.machine, w.world.project).length
      await w.operate({ verb: 'branch', turn: w.turn('two'), title: 'aside' })
      const made = listSessions(w.machine, w.world.project).find(({ id }) => id !== w.session)!
      expect(await subject.resumed(w.world, made.id)).toEqual(['one', 'two'])
      await w.operate({ verb: 'op-undo' })
      expect(listSessions(w.machine, w.world.project)).toHaveLength(before)
    })

    promise('crash', async () => {
      const size = w.size()
      const { steps } = w.agent
      let deaths = 0
      for (let at = 1; ; at++) {
        const { open: read } = readSession(w.machine, { session: w.session, project: null })
        const planned = stepTo(read, at % 2 === 0 ? null : w.turn('three'), w.turn('three'))
        const recorded = planned.prepare(durableDisk)!
        expect(steps.progress(durableDisk, recorded)).toBe('before')
        const dying = faultyDisk(durableDisk, [{ kind: 'die', at }], () => {})
        let died = false
        try {
          steps.perform(dying, recorded)
        } catch {
          died = true
        }
        // The next start checks the state and continues from where the last one died.
        steps.perform(durableDisk, recorded)
        const end = w.size()
        steps.perform(durableDisk, recorded)
        expect(steps.progress(durableDisk, recorded)).toBe('after')
        expect(w.size()).toBe(end)
        if (!died) break
        deaths += 1
      }
      expect(deaths).toBeGreaterThan(1)
      expect(w.size()).toBeGreaterThan(size)
      await w.operate({ verb: 'rewind', turn: w.turn('four') })
    })

    promise('stale', async () => {
      const { open: read } = readSession(w.machine, { session: w.session, project: null })
      const planned = stepTo(read, w.turn('one'), w.turn('two'))
      appendFileSync(w.path(), '\n')
      expect(planned.prepare(durableDisk)).toBeNull()
    })

    promise('rescue', async () => {
      const kept = await w.resumed()
      keepSessions(w.machine, [w.session])
      rmSync(w.path())
      keepSessions(w.machine, [w.session])
      const plan = planRescue(w.machine, w.session)
      applyRescue(w.machine, plan)
      expect(await subject.resumed(w.world, plan.newSession)).toEqual(kept)
    })
  })
}

function stepTo(
  open: ReturnType<typeof readSession>['open'],
  turn: TurnId | null,
  next: TurnId,
): PlannedStep {
  const facts = { uuid: crypto.randomUUID(), at: new Date(), says: 'moved' }
  if (turn === null) return open.moves.planEmpty()!
  const plan = open.moves.planMove({ turn, next: turn === next ? null : next }, facts)
  if (plan.kind !== 'step') throw new Error(plan.why)
  return plan.step
}

interface Opened extends AsyncDisposable {
  readonly world: SubjectWorld
  readonly machine: Machine
  readonly agent: Agent
  readonly session: string
  path(): string
  /** The bytes of all transcripts of the session. */
  size(): number
  turn(prompt: string): TurnId
  operate(command: Command): Promise<void>
  resumed(): Promise<string[]>
  /** What the verifier sees of `FILE` with this text. */
  written(text: string | undefined): string | undefined
}

async function open(subject: Subject): Promise<Opened> {
  const world = await subject.play(PROMPTS)
  const { session } = world
  const agent = subject.agent(world.directory)
  const machine = openMachine(placesIn(world), {
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    agents: [agent],
  })
  const wanted = { session, project: null }
  const line = (): ReturnType<typeof readSession>['tree'] => readSession(machine, wanted).tree
  return {
    world,
    machine,
    agent,
    session,
    path: () => agent.sessions.find(session)!.path,
    size: () =>
      agent.sessions
        .belongings(agent.sessions.find(session)!)
        .filter(({ role }) => role === 'transcript')
        .reduce((sum, { path }) => sum + readFileSync(path).length, 0),
    turn: (prompt) => [...line().turns.values()].find((turn) => turn.prompt === prompt)!.id,
    async operate(command) {
      using project = openProject(machine, world.project)
      const how = { whole: true, confirmed: true }
      const planned = await planOperation(machine, project, wanted, { ...command, ...how })
      if (planned.kind === 'nothing-to-do') throw new Error(`nothing to do: ${planned.why}`)
      await applyOperation(machine, project, planned)
    },
    resumed: () => subject.resumed(world, session),
    written(text) {
      const other = mkdtempSync(join(world.home, 'tree-'))
      if (text !== undefined) writeFileSync(join(other, FILE), `${text}\n`)
      return readTree(other).get(FILE)
    },
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

function placesIn({ home, project }: SubjectWorld): Places {
  const env = Object.fromEntries(
    ['CONFIG_HOME', 'DATA_HOME', 'CACHE_HOME', 'STATE_HOME', 'RUNTIME_DIR'].map((name) => [
      `XDG_${name}`,
      join(home, name),
    ]),
  )
  return { ...placesOf({ home, project, env }), agents: {} }
}
