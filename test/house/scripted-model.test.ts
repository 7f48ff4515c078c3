import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { bash, edit, read, scriptedModel, text, think, tool, write } from '../model/index.ts'
import { scene } from '../scene.ts'

const endings = (log: readonly { ended: Promise<string> }[]): Promise<string[]> =>
  Promise.all(log.map(({ ended }) => ended))

test.each([429, 529])('[house] the agent tries again after a scripted %i', async (status) => {
  await using s = await scene()
  await using model = await scriptedModel()
  model.on('T1', [{ error: { status } }, write('a.txt', '1\n'), 'done'])

  const { result } = await claudeCode(s, model).prompt('T1')

  expect(result).toBe('done')
  expect(await endings(model.log)).toEqual(['failed', 'answered', 'answered'])
  expect(await s.files()).toEqual({ 'a.txt': '1\n' })
})

test('[house] a model that stays down is reported by the agent', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  model.on('T1', [{ error: { status: 400, message: 'No such thing.' } }])

  const { result, exitCode } = await claudeCode(s, model).prompt('T1')

  expect({ result, exitCode }).toEqual({ result: 'API Error: 400 No such thing.', exitCode: 1 })
})

test('[house] an answer that breaks off is asked for again', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  model.on('T1', [{ blocks: ['half a sen'], broken: true }, 'a whole sentence'])

  const { result } = await claudeCode(s, model).prompt('T1')

  expect(result).toBe('a whole sentence')
  expect(await endings(model.log)).toEqual(['broken', 'answered'])
})

test('[house] an answer hangs until it is released', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  model.on('T1', [{ blocks: ['late'], hang: 'before' }])

  const run = claudeCode(s, model).prompt('T1')
  await model.hanging()
  model.release()

  expect((await run).result).toBe('late')
})

test('[house] an agent that is stopped hangs up on a hanging answer', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  model.on('T1', [{ blocks: ['half'], hang: 'after' }])
  const stop = new AbortController()

  const run = claudeCode(s, model).prompt('T1', { signal: stop.signal })
  await model.hanging()
  stop.abort()

  expect((await run).result).not.toBe('half')
  expect(await endings(model.log)).toEqual(['aborted'])
})

test('[house] thinking, text and parallel tools of one answer come back in their order', async () => {
  await using s = await scene({ files: { 'a.txt': 'one two\n' } })
  await using model = await scriptedModel()
  model.on('T1', [
    [think('look first'), text('I look.'), read('a.txt'), bash('echo hi')],
    { blocks: [edit('a.txt', 'o', '0', { all: true })], delayMs: 5, betweenMs: 1 },
    tool('Grep', { pattern: 'tw0' }),
    'done',
  ])

  await claudeCode(s, model).prompt('T1')

  expect(model.conversation(1)).toEqual([
    'user: T1',
    'assistant: thinking look first',
    'assistant: I look.',
    'assistant: use Read a.txt',
    'assistant: use Bash echo hi',
    'user: result 1\tone two',
    'user: result hi',
  ])
  expect(await s.files()).toEqual({ 'a.txt': '0ne tw0\n' })
})

test('[house] the same prompt is played again from the start, unless it was scripted anew', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on(/^add/, [bash('echo x >> log'), 'added'])

  await agent.prompt('add')
  await agent.prompt('add', { continue: true })
  model.on('add', 'no more')
  const { result } = await agent.prompt('add', { continue: true })

  expect(result).toBe('no more')
  expect(await s.files()).toEqual({ log: 'x\nx\n' })
})

test('[house] a compaction gets a summary and is no part of the main conversation', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)

  await agent.prompt('T1')
  await agent.prompt('/compact', { continue: true })
  await agent.prompt('T2', { continue: true })

  expect(model.log.map(({ kind }) => kind)).toEqual(['main', 'compaction', 'main'])
  expect(model.userTexts()[0]).toMatch(/Scripted summary\./)
  expect(model.userTexts().at(-1)).toBe('T2')
})

test('[house] without streaming, and for a count of tokens, the model answers too', async () => {
  await using model = await scriptedModel()
  model.on('hello', ['hi'])
  const post = async (path: string): Promise<unknown> => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] })
    return (await fetch(model.url + path, { method: 'POST', body })).json()
  }

  expect(await post('/v1/messages')).toMatchObject({
    role: 'assistant',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
  })
  expect(await post('/v1/messages/count_tokens')).toEqual({ input_tokens: 12 })
  expect(await post('/v1/unheard')).toMatchObject({ error: { type: 'not_found_error' } })
})
