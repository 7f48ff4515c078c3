/** Programs that save a file or swap a directory while Retake restores it. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyPlan, recover, type Journal } from '../../src/journal/index.ts'
import { checkStore, listOperations, putContent } from '../../src/store/index.ts'
import type { ContentId, ProjectPath, Value } from '../../src/timeline/index.ts'
import { bundled } from '../faults/bundled.ts'
import { BytesLost } from '../verifier/bytes-lost.ts'
import { readStore } from '../verifier/read-store.ts'
import { gitId, identities, readTree } from '../verifier/tree.ts'
import { live, stage } from './stage.ts'
import { temporary, world } from './world.ts'

const DAY = 25 * 60 * 60 * 1000

/** Every save must end up at the path or in the store. Returns how often the file was restored. */
export async function raceEditor(
  style: string,
  saves: number,
  seed: number,
): Promise<{ restored: number }> {
  using on = stage()
  const path = join(on.world.project, 'f')
  const log = join(on.world.path, 'log')
  writeFileSync(path, 'first\n')
  const { child, isRunning } = await program(
    new URL('editor.ts', import.meta.url),
    style,
    path,
    saves,
    log,
    seed,
  )
  const ended = once(child, 'exit')
  const outcomes = new Map<string, number>()
  const life = await live(on, [], async (journal) => {
    for (let count = 0; isRunning(); count += 1) {
      const outcome = await restore(journal, 'f', path, count)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  })
  await ended
  equal(life.error, undefined)
  equal((await live(on, [], recover, { now: () => Date.now() + DAY })).error, undefined)

  const texts = [
    ...readTree(on.world.project).values(),
    ...readStore(on.world.directory, 0, 'all').contents.values(),
  ]
  const found = new Set(texts.flatMap((text) => text.match(/EDIT-[^\n]*/g) ?? []))
  const saved = readFileSync(log, 'utf8').trimEnd().split('\n')
  equal(saved.length, saves)
  const lost = saved.filter((tag) => !found.has(tag))
  if (lost.length > 0) throw new BytesLost(`${style}: ${lost.join(', ')}`, lost.join('\n').length)
  deepEqual([...readTree(on.world.project).keys()], ['f'])
  const restored = outcomes.get('done') ?? 0
  ok(restored > 0, 'nothing was restored')
  return { restored }
}

/** Nothing outside the project may be written, however often the directory briefly links there. */
export async function flipDirectory(flips: number): Promise<{ writes: number }> {
  using on = stage()
  const outside = join(on.world.path, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'f'), 'not the project’s\n')
  mkdirSync(join(on.world.project, 'dir'))
  const before = identities(outside, ['f'])
  const { child, isRunning } = await program(
    new URL('flipper.ts', import.meta.url),
    join(on.world.project, 'dir'),
    outside,
    flips,
  )
  const ended = once(child, 'exit')
  let writes = 0
  const life = await live(on, [], async (journal) => {
    for (; isRunning(); writes += 1)
      await restore(journal, 'dir/f', join(on.world.project, 'dir/f'), writes)
  })
  deepEqual(await ended, [0, null])
  equal(life.error, undefined)
  ok(writes >= Math.min(20, flips / 1000), `only ${writes} writes`)
  deepEqual([...readTree(outside)], [['f', 'file 644 not the project’s\n']])
  deepEqual(identities(outside, ['f']), before)
  return { writes }
}

/** Several processes increment one file of a new project; no operation may be lost. */
export async function countTogether(processes: number, each: number): Promise<void> {
  using w = world()
  writeFileSync(join(w.project, 'count'), '0\n')
  const url = new URL('count-up.ts', import.meta.url)
  const children = await startAll(processes, url, w.path, each)
  const ends = await Promise.all(children.map((child) => once(child, 'exit')))
  deepEqual(
    ends,
    children.map(() => [0, null]),
  )
  equal(readFileSync(join(w.project, 'count'), 'utf8'), `${processes * each}\n`)
  deepEqual([...readTree(w.project).keys()], ['count'])
  const store = w.open()
  const states = listOperations(store).map(({ state }) => state)
  equal(states.length, processes * each)
  ok(states.every((state) => state === 'committed'))
  const { database, contents } = checkStore(store, { readData: true })
  deepEqual({ database, contents }, { database: [], contents: [] })
}

/** Several processes open the stores of new projects at the same moment; none may fail. */
export async function openTogether(processes: number, projects: number): Promise<void> {
  using directory = temporary()
  for (let number = 0; number < projects; number += 1)
    mkdirSync(join(directory.path, String(number), 'project'), { recursive: true })
  const url = new URL('open-together.ts', import.meta.url)
  const children = await startAll(processes, url, directory.path, projects, processes)
  // If one fails, the others would wait for it forever.
  for (const child of children)
    child.once('exit', (code) => code !== 0 && children.forEach((other) => other.kill()))
  const ends = await Promise.all(children.map((child) => once(child, 'exit')))
  deepEqual(
    ends,
    children.map(() => [0, null]),
  )
}

async function startAll(
  count: number,
  url: URL,
  ...args: (string | number)[]
): Promise<ChildProcess[]> {
  const started = Array.from({ length: count }, () => program(url, ...args))
  return (await Promise.all(started)).map(({ child }) => child)
}

async function program(
  url: URL,
  ...args: (string | number)[]
): Promise<{ child: ChildProcess; isRunning: () => boolean }> {
  const path = await bundled(url)
  const child = spawn(process.execPath, [path, ...args.map(String)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { child, isRunning: () => child.exitCode === null && child.signalCode === null }
}

/** Restores a file to new content, repeatedly, from its current content. */
async function restore(journal: Journal, path: string, whole: string, count: number) {
  const content = `RESTORED ${count}\n`
  putContent(journal.store, Buffer.from(content))
  const change = { path: path as ProjectPath, pre: standing(whole), post: file(content) }
  try {
    const plan = { verb: 'undo', session: null, details: null, changes: [change] }
    return (await applyPlan(journal, plan)).kind
  } catch {
    await recover(journal)
    return 'recovered'
  }
}

function standing(path: string): Value {
  try {
    return file(readFileSync(path, 'utf8'))
  } catch {
    return { kind: 'absent' }
  }
}

function file(content: string): Value {
  return { kind: 'file', content: gitId(content) as ContentId, mode: 0o644 }
}
