import { expect, test } from 'vitest'
import type { ReceiptView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { edit, scriptedModel, write } from '../model/index.ts'
import { scene } from '../scene.ts'
import { parseView } from '../cli/schemas.ts'

test('[U1][G8][B2][W3] undo, undo, redo, redo: the real agent resumes exactly the kept turns', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\ntwo\nthree\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [edit('a.txt', 'one', 'ONE'), 'did T1'])
  model.on('T2', [[write('b.txt', 'b\n'), edit('a.txt', 'two', 'TWO')], 'did T2'])
  model.on('T3', [edit('a.txt', 'three', 'THREE'), 'did T3'])
  const { sessionId } = await agent.prompt('T1')
  await agent.prompt('T2', { resume: sessionId })
  await agent.prompt('T3', { resume: sessionId })
  const recorded = (await agent.transcript(sessionId)).bytes

  const run = async (...args: string[]): Promise<ReceiptView> => {
    const { code, stdout, stderr } = await s.retake(...args, '--session', sessionId, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return parseView<ReceiptView>(stdout)
  }
  const sent = async (): Promise<string[]> => {
    await agent.prompt('probe', { args: ['--fork-session'], resume: sessionId })
    return model.userTexts().filter((text) => text !== 'probe')
  }
  const states = [
    { 'a.txt': 'ONE\ntwo\nthree\n' },
    { 'a.txt': 'ONE\nTWO\nthree\n', 'b.txt': 'b\n' },
    { 'a.txt': 'ONE\nTWO\nTHREE\n', 'b.txt': 'b\n' },
  ]
  expect(await s.files()).toEqual(states[2])

  expect(await run('undo')).toMatchObject({
    turnsUndone: 1,
    filesReverted: ['a.txt'],
    conversation: 'moved',
    prompt: 'T3',
  })
  expect(await s.files()).toEqual(states[1])
  expect(await sent()).toEqual(['T1', 'T2'])

  expect(await run('undo')).toMatchObject({ turnsUndone: 1, filesReverted: ['a.txt', 'b.txt'] })
  expect(await s.files()).toEqual(states[0])
  expect(await sent()).toEqual(['T1'])

  expect(await run('redo')).toMatchObject({ turnsRedone: 1 })
  expect(await s.files()).toEqual(states[1])
  expect(await sent()).toEqual(['T1', 'T2'])

  expect(await run('redo')).toMatchObject({ turnsRedone: 1 })
  expect(await s.files()).toEqual(states[2])
  expect(await sent()).toEqual(['T1', 'T2', 'T3'])

  const now = (await agent.transcript(sessionId)).bytes
  expect(Buffer.compare(now.subarray(0, recorded.length), recorded)).toBe(0)
})
