import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { applyPlan, recover, type Journal } from '../../src/journal/index.ts'
import { putContent } from '../../src/store/index.ts'
import type { ContentId, ProjectPath, Value } from '../../src/timeline/index.ts'
import { live, readStore, stage } from './stage.ts'
import { gitId, identities, readTree } from './tree.ts'

/** Saves in every test run; RUNS=200 makes it a hundred thousand. */
const more = Number(process.env['RUNS'] ?? 1)
const editor = new URL('editor.ts', import.meta.url)
const flipper = new URL('flipper.ts', import.meta.url)

function program(url: URL, ...args: string[]): { child: ChildProcess; isRunning: () => boolean } {
  const path = fileURLToPath(url)
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  return { child, isRunning: () => child.exitCode === null && child.signalCode === null }
}

/** Restores a file to something new, over and over, from whatever stands there. */
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

describe('[R6] [FT7] a program that saves while its file is restored', () => {
  test.each([
    ['in-place', 200 * more],
    ['atomic', 200 * more],
    ['append', 100 * more],
  ])('loses none of its %s saves', async (style, saves) => {
    using on = stage()
    const path = join(on.world.project, 'f')
    const log = join(on.world.path, 'log')
    writeFileSync(path, 'first\n')
    const { child, isRunning } = program(editor, style, path, String(saves), log)
    const ended = once(child, 'exit')
    const outcomes = new Map<string, number>()
    const life = await live(on, [], async (journal) => {
      for (let count = 0; isRunning(); count += 1) {
        const outcome = await restore(journal, 'f', path, count)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    })
    await ended
    expect(life.error).toBeUndefined()
    const day = 25 * 60 * 60 * 1000
    expect((await live(on, [], recover, { now: () => Date.now() + day })).error).toBeUndefined()

    const texts = [
      ...readTree(on.world.project).values(),
      ...readStore(on.world, 0, 'all').contents.values(),
    ].join('')
    const saved = readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(saved).toHaveLength(saves)
    expect(saved.filter((tag) => !texts.includes(`${tag}\n`))).toEqual([])
    expect([...readTree(on.world.project).keys()]).toEqual(['f'])
    expect(outcomes.get('done')).toBeGreaterThan(0)
  })
})

describe('[R11] [FT19] a directory that is swapped for a link', () => {
  test('never leads a write outside the project', async () => {
    using on = stage()
    const outside = join(on.world.path, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'f'), 'not the project’s\n')
    mkdirSync(join(on.world.project, 'dir'))
    const before = identities(outside, ['f'])
    const { child, isRunning } = program(flipper, join(on.world.project, 'dir'), outside, '20000')
    const ended = once(child, 'exit')
    let count = 0
    const life = await live(on, [], async (journal) => {
      for (; isRunning(); count += 1)
        await restore(journal, 'dir/f', join(on.world.project, 'dir/f'), count)
    })
    expect(await ended).toEqual([0, null])
    expect(life.error).toBeUndefined()
    expect(count).toBeGreaterThan(20)
    expect([...readTree(outside)]).toEqual([['f', 'file 644 not the project’s\n']])
    expect(identities(outside, ['f'])).toEqual(before)
  })
})
