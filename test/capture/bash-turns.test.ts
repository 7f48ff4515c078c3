import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMachine, readFilesSince, readMoments, readSession } from '#engine'
import type { LogView, PlanView, ReceiptView } from '#protocol'
import type { TurnId } from '#timeline'
import { readEnvironment } from '../../src/cli/environment.ts'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { bash, scriptedModel } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene } from '../scene.ts'
import { helloSeen } from './hello-seen.ts'
import { playedSession } from './played-session.ts'

test('[A2][U3] a turn that changed files only by Bash is undone and redone completely', async () => {
  await using s = await scene({
    files: {
      'keep.txt': 'keep\n',
      'gone.txt': 'gone\n',
      'old/name.txt': 'moved\n',
      'whole/a.txt': 'a\n',
      'whole/deep/b.txt': 'b\n',
      'private/': { directory: '700' },
      'private/secret.txt': { text: 'secret\n', mode: '600' },
      'hollow/': { directory: '750' },
      'edit.txt': 'one\ntwo\n',
      'run.sh': { text: '#!/bin/sh\n', mode: '644' },
      'data.bin': new Uint8Array([0, 1, 2, 255]),
      'src/one.js': 'let a=1\n',
      'src/two.js': 'let b=2\n',
      'link-old': { link: 'keep.txt' },
    },
    git: true,
  })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  expect(await s.retake('install', '--json')).toMatchObject({ code: 0 })
  model.on('shell', [
    bash(
      'sed -i s/two/TWO/ edit.txt; rm gone.txt; mkdir new; mv old/name.txt new/name.txt; rmdir old; ' +
        'chmod +x run.sh; ln -s keep.txt link; printf "\\003\\000" > data.bin; mkdir empty',
    ),
    [
      bash('mv whole moved; rm -r private; rmdir hollow; mkdir -m 711 made; mkdir -p made/deep'),
      bash('for f in src/*.js; do sed -i "s/=/ = /" $f; done; ln -sfn edit.txt link-old'),
    ],
    'done',
  ])
  const sessionId = await helloSeen(s)
  const before = await s.files()
  await agent.prompt('shell', { resume: sessionId })
  const after = await s.files()
  expect(after).not.toEqual(before)

  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(log.turns[1]).toMatchObject({ coverage: 'whole-tree', commands: [] })
  // A scan during a command may see one end of a rename first: then it is two changes.
  const listed = log.turns[1]!.files.flatMap(({ path, from, change, by }) =>
    from === undefined
      ? [`${path} ${change} ${by}`]
      : [`${from} deleted ${by}`, `${path} created ${by}`],
  )
  expect(listed.toSorted()).toEqual([
    'data.bin modified shell',
    'edit.txt modified shell',
    'empty/ created shell',
    'gone.txt deleted shell',
    'hollow/ deleted shell',
    'link created shell',
    'link-old modified shell',
    'made/deep/ created shell',
    'moved/a.txt created shell',
    'moved/deep/b.txt created shell',
    'new/name.txt created shell',
    'old/name.txt deleted shell',
    'private/secret.txt deleted shell',
    'run.sh mode shell',
    'src/one.js modified shell',
    'src/two.js modified shell',
    'whole/a.txt deleted shell',
    'whole/deep/b.txt deleted shell',
  ])

  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan).toMatchObject({ notCovered: [], warnings: [] })
  for (const round of [1, 2]) {
    expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
    expect(await s.files(), `undo ${round}`).toEqual(before)
    expect(await s.retake('redo', '--json')).toMatchObject({ code: 0 })
    expect(await s.files(), `redo ${round}`).toEqual(after)
  }
  // Retake's own marks on the previous turn are not that turn's work.
  const again = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(again.turns[1]).toMatchObject({ coverage: 'whole-tree', commands: [] })
  // Created and removed directories are not in files through time, which show text.
  const { places } = readEnvironment({ ...s.env }, {})
  using machine = openMachine(places, { now: () => new Date(), newId: randomUUID })
  const session = readSession(machine, { session: sessionId, project: null })
  const { files } = readMoments(machine, session)
  expect(files).toContain('new/name.txt')
  expect(files.filter((path) => /^(empty|hollow|made)/.test(path))).toEqual([])
  const since = readFilesSince(machine, session, log.turns[0]!.id as TurnId, { reveal: true })
  expect(since.map(({ path }) => path)).toContain('gone.txt')
})

test('[A2][sem.K3] what the user types while the agent works stays; a merge uses what a command restored from git as its base, even if git lost it', async () => {
  await using s = await scene({
    files: {
      'a.txt': '1\n2\n3\n4\n5\n6\n',
      'mine.txt': 'mine\n',
      'back.txt': 'one\ntwo\nthree\nfour\n',
    },
    git: true,
  })
  using session = await playedSession(s)
  await s.write('back.txt', 'ONE\ntwo\nthree\nfour\n')
  await session.turn('reset', { bash: ['git checkout -q back.txt'] })
  const typed = async (): Promise<void> => {
    await s.write('mine.txt', 'mine, edited\n')
    await s.write('new.txt', 'also mine\n')
  }
  await session.turn('work', { bash: ['sed -i s/1/ONE/ a.txt'] }, typed, {
    edit: 'a.txt',
    old: '3',
    new: 'THREE',
  })
  await s.write('a.txt', (await s.read('a.txt')).replace('6', 'six'))

  const receipt = parseView<ReceiptView>((await s.retake('undo', '--json')).stdout)
  expect(receipt).toMatchObject({ turnsUndone: 1, filesReverted: ['a.txt'], filesKept: ['a.txt'] })
  const kept = {
    'a.txt': '1\n2\n3\n4\n5\nsix\n',
    'mine.txt': 'mine, edited\n',
    'new.txt': 'also mine\n',
  }
  expect(await s.files()).toEqual({ ...kept, 'back.txt': 'one\ntwo\nthree\nfour\n' })

  await s.run('rm', ['-rf', '.git/objects'])
  await s.write('back.txt', 'one\ntwo\nthree\nFOUR\n')
  expect(await s.retake('undo', '--only', 'files', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({ ...kept, 'back.txt': 'ONE\ntwo\nthree\nFOUR\n' })
})

test('[sem.K3] clean files that a command removed together with git’s copy of them come back, and the lost repository is named', async () => {
  const files = { 'f.txt': '1\n', 'g.txt': '2\n' }
  await using s = await scene({ files, git: true })
  // Retake copies files that changed less than two seconds ago, or right before git wrote its index.
  await s.run('touch', ['-d', '1 hour ago', ...Object.keys(files)])
  await setTimeout(2200)
  await s.run('git', ['status'])
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  const drop = 'git reflog expire --expire=now --all; git gc -q --prune=now'
  model.on('amend', [bash(`git rm -q f.txt; git commit -q --amend -m x; ${drop}`), 'done'])
  model.on('remove', [bash('rm -rf .git g.txt'), 'done'])
  const resume = await helloSeen(s)
  await playSession({ s, agent, prompts: ['amend', 'remove'], checkpointing: false, resume })
  const { stdout } = await s.retake('undo')
  expect(stdout).toContain('.git: a git repository that was deleted is not restored')
  expect(await s.files()).toEqual({ 'g.txt': '2\n' })
  expect(await s.retake('undo')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(files)
})
