import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { bash, edit, scriptedModel, think, write } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene } from '../scene.ts'

test('[house] the real agent plays three scripted turns and resumes them word for word', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1 create', [
    [think('two files'), write('a.txt', 'one\n'), write('b.txt', 'two\n')],
    'created',
  ])
  model.on('T2 edit', [edit('a.txt', 'one', 'ONE'), 'edited'])
  model.on('T3 shell', [bash('rm b.txt && echo three > c.txt'), 'ran'])

  const prompts = ['T1 create', 'T2 edit', 'T3 shell']
  const sessionId = await playSession({ s, agent, prompts, checkpointing: false })

  const threeTurns = [
    'user: T1 create',
    'assistant: thinking two files',
    'assistant: use Write a.txt',
    'assistant: use Write b.txt',
    'user: result File created successfully at: a.txt',
    'user: result File created successfully at: b.txt',
    'assistant: created',
    'user: T2 edit',
    'assistant: use Edit a.txt',
    'user: result The file a.txt has been updated successfully.',
    'assistant: edited',
    'user: T3 shell',
    'assistant: use Bash rm b.txt && echo three > c.txt',
    'user: result (Bash completed with no output)',
  ]
  expect(model.conversation()).toEqual(threeTurns)
  expect(await s.files()).toEqual({ 'a.txt': 'ONE\n', 'c.txt': 'three\n' })

  const { result, exitCode } = await agent.prompt('T4 unscripted', { continue: true })

  expect({ result, exitCode }).toEqual({ result: 'ok', exitCode: 0 })
  expect(model.conversation()).toEqual([...threeTurns, 'assistant: ran', 'user: T4 unscripted'])
  expect(model.userTexts()).toEqual(['T1 create', 'T2 edit', 'T3 shell', 'T4 unscripted'])
  expect(await agent.sessions()).toEqual([sessionId])
  expect(model.outside).toEqual([])
})
