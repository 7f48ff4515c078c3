import { expect, test } from 'vitest'
import type { LogView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { bash, edit, read, scriptedModel, write } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene } from '../scene.ts'
import { helloSeen } from './hello-seen.ts'

test('[sem.M8][sem.A10][sem.M7] modes and mixed line ends come back exactly, beside a path that cannot be undone', async () => {
  await using s = await scene({ files: { 'mixed.txt': 'a\r\nb\nc\r\nd\n', 'g.txt': 'g\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  model.on('write', [
    [write('run.sh', '#!/bin/sh\n'), read('mixed.txt')],
    edit('mixed.txt', 'b', 'B'),
    bash('mkfifo pipe; echo more >> g.txt'),
    'done',
  ])
  model.on('run', [bash('chmod +x run.sh'), 'done'])
  const sessionId = await helloSeen(s)
  const before = await s.files()
  const prompts = ['write', 'run']
  await playSession({ s, agent, prompts, checkpointing: false, resume: sessionId })
  const after = await s.files()
  expect(after['run.sh']).toEqual({ text: '#!/bin/sh\n', mode: '755' })
  const { turns } = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(turns[1]!.files.filter(({ notes }) => notes.length > 0)).toEqual([])

  expect(await s.retake('undo', '2', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(before)
  expect(await s.retake('rewind', '3', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(after)
  expect(await s.retake('undo', '2', '--only', 'files', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(before)
  expect(await s.retake('redo', '2', '--only', 'files', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(after)
})
