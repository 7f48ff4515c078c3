import { expect, test } from 'vitest'
import type { LogView, PlanView, ReceiptView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { scene } from '../scene.ts'
import { playedSession } from './played-session.ts'

test('[sem.A7][sem.A5] undo restores ignored files, and lists what it leaves', async () => {
  await using s = await scene({
    files: {
      '.gitignore': 'dist/\n.env\n*.log\nnode_modules/\nquiet/\n',
      '.env': 'KEY=1\n',
      'debug.log': 'one\n',
      'dist/keep.js': 'kept\n',
      'late/o.js': 'o\n',
      'node_modules/x/index.js': 'x\n',
      'quiet/x': 'x\n',
      'sub/c.txt': 'c\n',
    },
    git: true,
  })
  await s.run('git', ['add', '--force', 'dist/keep.js'])
  const before = await s.files()
  using session = await playedSession(s)
  await session.turn(
    'shell',
    { bash: ['echo 2 >> debug.log; echo new > dist/keep.js; echo late/ >> .gitignore; rm late/o.js'] }, // prettier-ignore
    { bash: ['git clean -qfdx -e quiet; chmod 700 sub; git init -q app; echo n > app/a.txt'] },
  )

  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  const alone = log.turns[1]!.files.filter(({ notes }) => notes.includes('left-alone'))
  expect(alone.map(({ path, change }) => `${path} ${change}`)).toEqual(
    expect.arrayContaining(['app/.git created', 'node_modules/ deleted', 'sub/ modified']),
  )
  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan.files.map(({ path, verb }) => `${verb} ${path}`)).toEqual([
    'create .env',
    'restore .gitignore',
    'delete app/a.txt',
    'create debug.log',
    'restore dist/keep.js',
    'create late/o.js',
  ])
  const named = plan.left.map(({ path, kind }) => `${kind} ${path}`)
  expect(named).toEqual(
    expect.arrayContaining([
      'nested-repository app/.git',
      'ignored node_modules/',
      'directory-mode sub/',
      'ignored null',
    ]),
  )
  expect(plan.left.find(({ path }) => path === null)?.why).toContain('quiet/')

  // The plan promises no more than is done, and the receipt lists what the plan listed.
  const receipt = parseView<ReceiptView>((await s.retake('undo', '--yes', '--json')).stdout)
  expect(receipt.left).toEqual(plan.left)
  const { 'node_modules/x/index.js': _, ...kept } = before
  const now = await s.files()
  const outside = Object.entries(now).filter(([path]) => !path.startsWith('app/.git/'))
  expect(Object.fromEntries(outside)).toEqual({ ...kept, 'sub/': { directory: '700' } })
  expect(Object.keys(now).some((path) => path.startsWith('app/.git/'))).toBe(true)
})

test('[sem.A5] an undo that finds nothing to do lists what the first turn’s commands left', async () => {
  await using s = await scene({ files: { '.gitignore': 'out/\n' }, git: true })
  using session = await playedSession(s, { hello: false })
  await session.turn('build', { bash: ['mkdir out; echo 1 > out/a'] })
  const { stdout } = await s.retake('undo')
  expect(stdout).toContain('Nothing to undo: turn 1 has no file changes to undo')
  expect(stdout).toContain('Not covered: out/: an ignored directory that was created stays')
})

test('[sem.A7][sem.M6] a directory that a turn ignored and removed comes and goes with its files and its mode', async () => {
  await using s = await scene({
    files: {
      '.gitignore': '',
      'late/sub/o.js': 'o\n',
      'late/hollow/': { directory: '750' },
      'tracked/x': 'x\n',
    },
  })
  for (const args of [
    ['init', '-q'],
    ['add', 'tracked'],
  ])
    await s.run('git', args)
  const states = [await s.files()]
  using session = await playedSession(s)
  for (const command of [
    "printf 'late/\\ntracked/\\n' > .gitignore; echo O > late/sub/o.js",
    'echo X > tracked/x; rm -r late/sub',
    'rm -r late tracked',
  ]) {
    await session.turn(command, { bash: [command] })
    states.push(await s.files())
  }
  for (const state of states.toReversed().slice(1)) {
    expect(await s.retake('undo')).toMatchObject({ code: 0 })
    expect(await s.files()).toEqual(state)
  }
  const redone = parseView<ReceiptView>((await s.retake('redo', '3', '--json')).stdout)
  expect(redone.left.filter(({ path }) => path !== null)).toEqual([])
  expect(await s.files()).toEqual(states.at(-1))
})
