import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { dirname, isAbsolute, join } from 'node:path'
import { expect, test } from 'vitest'
import * as adapter from '../agent/claude-parts.ts'
import { durableDisk } from '#disk'
import { observeProject, openMachine, openProject, rememberDirectory, takeEvents } from '#engine'
import { readEnvironment } from '../../src/cli/environment.ts'
import type { Outcome } from './history.ts'
import { playedAgent, type PlayedAgent } from './played-agent.ts'
import { ON_DISK } from '../house/in-memory.ts'
import { readTree } from '../house/tree.ts'
import { retakeOn } from './retake-on.ts'

interface Played extends PlayedAgent {
  readonly id: string
  undo(): Promise<Outcome>
  redo(): Promise<Outcome>
}

/** Projects and added directories below one root, with the engine in this process. */
function openWorld(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(realpathSync(ON_DISK), 'retake-'))
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), LC_ALL: 'C.UTF-8' }
  const at = (path: string): string => join(root, path)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  mkdirSync(env.HOME)
  for (const [path, text] of Object.entries(files)) write(path, text)
  const { places } = readEnvironment(env, {})
  const made = new DisposableStack()
  const machine = made.use(
    openMachine({ ...places, cwd: root }, { now: () => new Date(), newId: randomUUID }),
  )
  const spool = adapter.prepareSpool(durableDisk, places.state)
  const git = (directory: string, ...args: string[]): void => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid']
    const { status, stderr } = spawnSync('git', ['-C', at(directory), ...who, ...args], { env })
    expect(status, String(stderr)).toBe(0)
  }
  const session = (project: string, added: readonly string[], pid = process.pid): Played => {
    const id = randomUUID()
    const opened = made.use(openProject(machine, at(project)))
    const slug = at(project).replaceAll(/[^a-zA-Z0-9]/g, '-')
    const look = async (): Promise<void> => {
      takeEvents(machine, opened, id)
      observeProject(machine, opened, [id])
    }
    const agent = made.use(
      playedAgent({
        project: at(project),
        transcript: join(places.agents['claude-code']!, 'projects', slug, `${id}.jsonl`),
        registry: join(places.agents['claude-code']!, 'sessions'),
        spool,
        session: id,
        env,
        uuid: randomUUID,
        look,
        pid,
        added: added.map((path) => (isAbsolute(path) ? path : at(path))),
      }),
    )
    const { operate } = retakeOn(machine, { project: at(project), session: id })
    return {
      ...agent,
      id,
      undo: () => operate({ do: 'undo', count: 1 }),
      redo: () => operate({ do: 'redo', count: 1 }),
    }
  }
  return {
    at,
    write,
    git,
    session,
    agree: (path: string): void => rememberDirectory(machine, at(path), true),
    read: (path: string): string => readFileSync(at(path), 'utf8'),
    tree: (path: string) => readTree(at(path)),
    [Symbol.dispose]() {
      made.dispose()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

test('[sem.A9] an added directory around the project and one inside it are scanned once each', async () => {
  using w = openWorld({
    'work/app/own.txt': 'own\n',
    'work/up.txt': 'up\n',
    'work/lib/l.txt': 'l\n',
  })
  w.git('work/app', 'init', '-q')
  // The inner directory covers what the outer one ignores.
  w.write('work/.gitignore', 'lib/\n')
  w.git('work', 'init', '-q')
  const outer = w.session('work/app', ['work'])
  await outer.turn('hello', [{ bash: ['true'] }])
  const both = w.session('work/app', ['work', 'work/lib'])
  await both.turn('hi', [{ bash: ['true'] }])
  const before = await w.tree('work')
  const commands = ['echo 2 > own.txt', 'echo 2 > ../up.txt', 'rm ../lib/l.txt', 'mkdir ../d', 'mv ../up.txt ../d/up.txt'] // prettier-ignore
  await both.turn('T1', [{ bash: commands }])
  const after = await w.tree('work')
  const written = ['lib/l.txt', 'up.txt'].map((path) => w.at(`work/${path}`))
  const removed = w.at('work/d/up.txt')
  expect(await both.undo()).toMatchObject({ written: [...written, 'own.txt', removed], left: [] })
  expect(await w.tree('work')).toEqual(before)
  expect(await both.redo()).toMatchObject({ kind: 'done' })
  expect(await w.tree('work')).toEqual(after)
})

test('[sem.A9][sem.A5] a command’s changes in a directory that was added only to another session stay until the user agrees', async () => {
  using w = openWorld({ 'app/a.txt': 'a\n', 'one/x.txt': 'x\n', 'two/y.txt': 'y\n' })
  const first = w.session('app', ['one'])
  const second = w.session('app', ['two'])
  await first.turn('F1', [{ bash: ['true'] }])
  await second.turn('S1', [{ bash: ['true'] }])
  await first.turn('F2', [{ bash: ['echo F > ../one/x.txt', 'echo F > ../two/y.txt'] }])
  await second.turn('S2', [{ bash: ['echo S > ../two/z.txt'] }])
  const left = `${w.at('two/y.txt')} (it is in a directory that you have not agreed to, so it stays as it is)`
  expect(await first.undo()).toMatchObject({ written: [w.at('one/x.txt')], left: [left] })
  expect([w.read('one/x.txt'), w.read('two/y.txt')]).toEqual(['x\n', 'F\n'])
  expect(await second.undo()).toMatchObject({ written: [w.at('two/z.txt')], left: [] })
  expect(w.read('two/y.txt')).toBe('F\n')
  w.agree('two')
  expect(await first.redo()).toMatchObject({ written: [w.at('one/x.txt')] })
  expect(await first.undo()).toMatchObject({ written: [w.at('one/x.txt'), w.at('two/y.txt')] })

  // In a directory that no session added, commands are covered once an edit there was agreed to.
  await first.turn('F3', [{ write: '../three/w.txt', text: 'w\n' }])
  w.agree('three')
  expect(await first.undo()).toMatchObject({ written: [w.at('three/w.txt')] })
  expect(await first.redo()).toMatchObject({ kind: 'done' })
  await first.turn('F4', [{ bash: ['rm ../three/w.txt', 'echo > ../three/v.txt'] }])
  expect(await first.undo()).toMatchObject({ left: [] })
  expect(await w.tree('three')).toEqual({ 'w.txt': 'w\n' })
})

test('[sem.A2] in a directory that two projects share, changes during a session of the other are unsure', async () => {
  using w = openWorld({ 'app/a.txt': 'a\n', 'lib/l.txt': 'l\n', 'lib/m.txt': 'm\n' })
  const app = w.session('app', ['lib'])
  const lib = w.session('lib', [], process.ppid)
  await app.turn('A1', [{ bash: ['true'] }])
  await app.turn('A2', [{ bash: ['echo app > ../lib/l.txt'] }])
  expect(await app.undo()).toMatchObject({ written: [w.at('lib/l.txt')] })
  await lib.turn('L1', [{ bash: ['true'] }])
  await Promise.all([
    app.turn('A3', [{ bash: ['sleep 0.3', 'echo app > ../lib/l.txt', 'sleep 0.2'] }]),
    lib.turn('L2', [{ bash: ['sleep 0.3', 'echo lib > m.txt', 'sleep 0.2'] }]),
  ])
  const why = '(a session of another project worked there at that time)'
  for (const [one, path] of [
    [app, w.at('lib/l.txt')],
    [lib, 'm.txt'],
  ] as const) {
    // prettier-ignore
    const outcome = await one.undo()
    expect(outcome.kind === 'done' ? outcome.left : outcome).toContain(`${path} ${why}`)
  }
  expect([w.read('lib/l.txt'), w.read('lib/m.txt')]).toEqual(['app\n', 'lib\n'])
})

test('[sem.A5][sem.A8] git’s changes in an added directory stay, and an added directory that is never scanned is listed', async () => {
  using w = openWorld({ 'app/a.txt': 'a\n', 'lib/l.txt': 'l\n' })
  w.git('lib', 'init', '-q', '-b', 'main')
  w.git('lib', 'add', '.')
  w.git('lib', 'commit', '-q', '-m', 'one')
  w.git('lib', 'checkout', '-q', '-b', 'other')
  w.write('lib/l.txt', 'other\n')
  w.git('lib', 'commit', '-q', '-am', 'two')
  w.git('lib', 'checkout', '-q', 'main')
  const s = w.session('app', ['lib', '/etc'])
  await s.turn('T1', [{ bash: ['git -C ../lib checkout -q other', 'echo n > ../lib/n.txt'] }])
  expect(await s.undo()).toMatchObject({
    written: [w.at('lib/n.txt')],
    left: [
      '/etc/ (commands ran; Retake does not record this added directory, so it stays as it is)',
    ],
  })
  expect(w.read('lib/l.txt')).toBe('other\n')
})
