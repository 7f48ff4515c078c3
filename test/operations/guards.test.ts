/**
 * The guards of the engine, each tested alone, in this process and on a recorded session: what
 * stops a plan from being applied, and what receipts report.
 */
import { writeFileSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  applyGc,
  applyOperation,
  findLosses,
  keepSessions,
  openProject,
  planGc,
  planOperation,
  readSession,
  type PlannedOperation,
  type Project,
} from '#engine'
import type { Command } from '#protocol'
import type { TurnId } from '#timeline'
import { machineOf } from '../storage/in-process.ts'
import { type Scene, scene } from '../scene.ts'
import { procStartOf } from '../house/process-facts.ts'

const fixture = fileURLToPath(
  new URL('../fixtures/claude-code/2.1.325/simple-headless', import.meta.url),
)
const id = 'aa1f9358-8ba4-4a86-b823-bb8a08c6dda7'
const wanted = { session: id, project: null }
/** T1 makes both files; T2 edits a.txt; T3 edits both. */
const played = { 'a.txt': 'alpha ONE\nalpha TWO\n', 'b.txt': 'BETA\n' }
const undone = { 'a.txt': 'alpha 1\nalpha TWO\n', 'b.txt': 'beta\n' }

let s: Scene
let machine: ReturnType<typeof machineOf>
let project: Project
let transcript: string
let whole: string
let turns: readonly TurnId[]

beforeAll(async () => {
  s = await scene()
  const directory = join(s.claudeDir, 'projects', s.project.replaceAll(/[^A-Za-z0-9]/g, '-'))
  transcript = join(directory, `${id}.jsonl`)
  await mkdir(directory, { recursive: true })
  const recorded = join(fixture, 'claude-projects/-home-dev-simple', `${id}.jsonl`)
  whole = (await readFile(recorded, 'utf8')).replaceAll('/home/dev/simple', s.project)
  await cp(join(fixture, 'file-history'), join(s.claudeDir, 'file-history'), { recursive: true })
})
afterAll(() => s[Symbol.asyncDispose]())

beforeEach(async () => {
  machine?.[Symbol.dispose]()
  project?.[Symbol.dispose]()
  await rm(s.env['XDG_DATA_HOME']!, { recursive: true })
  await mkdir(s.env['XDG_DATA_HOME']!, { mode: 0o700 })
  await rm(s.project, { recursive: true })
  for (const [name, text] of Object.entries(played)) await s.write(name, text)
  await rm(transcript, { force: true })
  await writeFile(transcript, whole)
  machine = machineOf(s)
  project = openProject(machine, s.project)
  turns = readSession(machine, wanted).tree.line
})

const undo: Command = { verb: 'undo', count: 1 }

async function plan(command: Command): Promise<PlannedOperation> {
  const planned = await planOperation(machine, project, wanted, command)
  if (planned.kind !== 'planned') throw new Error(planned.why)
  return planned
}

const apply = (planned: PlannedOperation) => applyOperation(machine, project, planned)
const failure = (code: string): unknown => expect.objectContaining({ code })
const files = async () => ({ 'a.txt': await s.read('a.txt'), 'b.txt': await s.read('b.txt') })

test('[B10][F10] a plan with a conflict is not applied, not even for the other files', async () => {
  await s.write('b.txt', 'mine\n')
  const planned = await plan(undo)
  expect(planned.plan.conflicts).toEqual(['b.txt'])
  await expect(apply(planned)).rejects.toEqual(failure('conflict'))
  expect(await files()).toEqual({ ...played, 'b.txt': 'mine\n' })
})

test('[sem.O1][W20] a plan can be applied only to the state it was made for, and once', async () => {
  const stale = await plan(undo)
  await s.write('a.txt', `${played['a.txt']}mine\n`)
  await expect(apply(stale)).rejects.toEqual(failure('plan-stale'))
  await s.write('a.txt', played['a.txt'])

  // [FT13] Others may write to other files: a dev server, another agent.
  const planned = await plan(undo)
  await s.write('server.log', 'a line\n')
  const receipt = await apply(planned)
  expect(receipt.filesReverted).toEqual(['a.txt', 'b.txt'])
  expect(await apply(planned)).toEqual(receipt)
  expect(await files()).toEqual(undone)
  expect(readSession(machine, wanted).tree.head).toBe(turns[1])

  await expect(plan({ verb: 'undo', expectHead: turns[2]! })).rejects.toEqual(failure('head-moved'))
})

test('[sem.O5] files that git is merging are left alone', async () => {
  await mkdir(join(s.project, '.git'))
  await writeFile(join(s.project, '.git/HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(s.project, '.git/MERGE_HEAD'), '')
  await expect(plan(undo)).rejects.toEqual(failure('git-unfinished'))
})

test('[sem.O5] a turn made on another git branch needs a confirmation', async () => {
  await mkdir(join(s.project, '.git'))
  await writeFile(join(s.project, '.git/HEAD'), 'ref: refs/heads/other\n')
  const planned = await plan(undo)
  await expect(apply(planned)).rejects.toEqual(failure('other-git-branch'))
  await apply(await plan({ verb: 'undo', confirmed: true }))
  expect(await files()).toEqual(undone)
})

test('[F9][S6] only what a turn changed can be restored', async () => {
  await s.write('c.txt', 'mine\n')
  const restore = (path: string): Command => ({
    verb: 'restore',
    files: [path],
    at: turns[0]!,
  })
  await expect(plan(restore('c.txt'))).rejects.toEqual(failure('path-not-known'))
  await apply(await plan(restore('b.txt')))
  expect(await files()).toEqual({ ...played, 'b.txt': 'beta\n' })
})

test('[sem.A6] a file behind a link is unknown, and no plan replaces it', async () => {
  await rm(join(s.project, 'b.txt'))
  await symlink('a.txt', join(s.project, 'b.txt'))
  expect((await plan(undo)).plan.conflicts).toEqual(['b.txt'])
})

test('[C8][FT13] nothing moves under a working agent, nor the conversation under an idle one', async () => {
  const procStart = procStartOf(process.pid)
  const entry = join(s.claudeDir, 'sessions', `${process.pid}.json`)
  await mkdir(join(s.claudeDir, 'sessions'), { recursive: true })
  for (const [status, code] of [
    ['busy', 'session-busy'],
    ['idle', 'session-live'],
  ] as const) {
    await writeFile(entry, JSON.stringify({ sessionId: id, procStart, status }))
    await expect(plan(undo)).rejects.toEqual(failure(code))
  }
  await rm(entry)
})

test('[I7][FT7] a save during the operation is kept, reported, and not counted as undone', async () => {
  let saves = 0
  const planned = await plan(undo)
  const receipt = await applyOperation(machine, project, planned, {
    progress({ phase }) {
      // Before the first file is moved, and after all were checked.
      if (phase === 'changing' && saves++ === 0)
        writeFileSync(join(s.project, 'a.txt'), 'saved meanwhile\n')
    },
  })
  expect(receipt).toMatchObject({ filesReverted: ['b.txt'], filesKept: ['a.txt'] })
  expect(await files()).toEqual({ ...undone, 'a.txt': 'saved meanwhile\n' })
  const redo = await plan({ verb: 'redo', count: 1 })
  expect(redo.plan.files.map(({ path }) => path)).toEqual(['b.txt'])
  // No file has it any more, and it can still be retrieved.
  await s.write('a.txt', 'written anew\n')
  expect(planGc(machine, project).aside).toEqual([])
})

test('[sem.K1][sem.K2] gc keeps what recent operations need, waits, and refuses an old plan', async () => {
  await s.write('a.txt', `${played['a.txt']}mine\n`)
  await apply(await plan(undo))
  await apply(await plan({ verb: 'redo', count: 1 }))
  await s.write('a.txt', played['a.txt'])
  await apply(await plan(undo))
  expect(planGc(machine, project).aside).toEqual([])

  machine.later(91)
  const found = planGc(machine, project)
  expect(found.operations.map((operation) => operation.id)).toContain(1)
  await applyGc(machine, project, found)
  await expect(applyGc(machine, project, found)).rejects.toEqual(failure('plan-stale'))
  expect(planGc(machine, project).drop).toEqual([])
  const undoIt: Command = { verb: 'op-undo' }
  await expect(plan(undoIt)).rejects.toEqual(failure('no-longer-undoable'))
  machine.later(8)
  expect(planGc(machine, project).drop).toHaveLength(found.aside.length)
})

test('[FT15] a truncated or rewritten transcript is distinguished from a grown one', async () => {
  const losses = () => findLosses(machine, id).map(({ how }) => how)
  const keep = async (text: string): Promise<void> => {
    await writeFile(transcript, text)
    keepSessions(machine, [id])
  }
  keepSessions(machine, [id])
  await keep(`${whole}{"type":"mode"}\n`)
  expect(losses()).toEqual([])
  await keep(`${whole.replace('T1 create', 'T1 CREATE')}{"type":"mode"}\n{"type":"mode"}\n`)
  expect(losses()).toEqual(['rewritten'])
  await keep(whole.slice(0, whole.length / 2))
  expect(losses()).toEqual(['rewritten', 'shrunk'])
  await keep(`${whole.slice(0, whole.length / 2)}${'{"type":"mode"}\n'.repeat(whole.length / 20)}`)
  expect(losses()).toEqual(['rewritten', 'shrunk'])
})
