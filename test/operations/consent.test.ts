import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { edit, scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'

test('[S9] a file that runs by itself is put back only when it is named', async () => {
  await using s = await scene({ files: { '.envrc': 'export A=1\n', 'a.txt': 'one\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('hello', 'hi')
  model.on('both', [[edit('.envrc', 'A=1', 'A=2'), edit('a.txt', 'one', 'ONE')], 'done'])
  const { sessionId } = await agent.prompt('hello')
  await agent.prompt('both', { resume: sessionId })
  const changed = await s.files()

  const refused = await s.retake('undo')
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain('--choose PATH=put-back')
  expect(await s.retake('undo', '--on-conflict', 'put-back')).toMatchObject({ code: 4 })
  expect(await s.retake('undo', '--choose', '.envrc')).toMatchObject({ code: 2 })
  expect(await s.files()).toEqual(changed)

  expect(await s.retake('undo', '--choose', '.envrc=put-back')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({ '.envrc': 'export A=1\n', 'a.txt': 'one\n' })
})
