import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { bash, edit, read, scriptedModel, text, think, tool, write } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene } from '../scene.ts'

const endings = (log: readonly { ended: Promise<string> }[]): Promise<string[]> =>
  Promise.all(log.map(({ ended }) => ended))

test('[house] errors, broken answers, hanging answers, tools and a compaction follow the script, one prompt after the other', async () => {
  await using s = await scene({ files: { 'a.txt': 'one two\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('limited', [{ error: { status: 429 } }, write('429.txt', '1\n'), 'after 429'])
  model.on('overloaded', [{ error: { status: 529 } }, write('529.txt', '1\n'), 'after 529'])
  model.on('down', [{ error: { status: 400, message: 'No such thing.' } }])
  model.on('broken', [{ blocks: ['half a sen'], broken: true }, 'a whole sentence'])
  model.on('hanging', [{ blocks: ['late'], hang: 'before' }])
  model.on('tools', [
    [think('look first'), text('I look.'), read('a.txt'), bash('echo hi')],
    { blocks: [edit('a.txt', 'o', '0', { all: true })], delayMs: 5, betweenMs: 1 },
    tool('Grep', { pattern: 'tw0' }),
    'done',
  ])
  // The same prompt starts from the beginning, unless its script was replaced.
  model.on(/^add/, [bash('echo x >> log'), 'added'])
  const prompts = ['tools', 'limited', 'overloaded', 'down', 'broken', 'add', 'add', 'hanging']

  const results: string[] = []
  const played = playSession({
    s,
    agent,
    prompts: [...prompts, 'add', '/compact', 'after compaction'],
    checkpointing: false,
    onResult: (result) => results.push(result),
  })
  await model.hanging()
  model.on('add', 'no more')
  model.release()
  await played

  expect(results).toEqual([
    'done',
    'after 429',
    'after 529',
    'API Error: 400 No such thing.',
    'a whole sentence',
    'added',
    'added',
    'late',
    'no more',
    '',
    'ok',
  ])
  const how = async (prompt: string): Promise<string[]> =>
    endings(model.log.filter((each) => each.prompt === prompt))
  expect(await how('limited')).toEqual(['failed', 'answered', 'answered'])
  expect(await how('overloaded')).toEqual(['failed', 'answered', 'answered'])
  expect(await how('broken')).toEqual(['broken', 'answered'])
  expect(await s.files()).toEqual({
    'a.txt': '0ne tw0\n',
    '429.txt': '1\n',
    '529.txt': '1\n',
    log: 'x\nx\n',
  })
  // Thinking, text and parallel tools of one answer come back in their order. The agent sends the
  // results of parallel tools as they end.
  const sent = model.conversation(1)
  expect([...sent.slice(0, 5), ...sent.slice(5).toSorted()]).toEqual([
    'user: tools',
    'assistant: thinking look first',
    'assistant: I look.',
    'assistant: use Read a.txt',
    'assistant: use Bash echo hi',
    'user: result 1\tone two',
    'user: result hi',
  ])
  // A compaction gets a summary and is not part of the main conversation.
  expect(model.log.slice(-2).map(({ kind }) => kind)).toEqual(['compaction', 'main'])
  expect(model.userTexts()[0]).toMatch(/Scripted summary\./)
  expect(model.userTexts().at(-1)).toBe('after compaction')
})

test('[house] a stopped agent closes a hanging request', async () => {
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

test('[house] the model also answers requests without streaming, and counts tokens', async () => {
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
