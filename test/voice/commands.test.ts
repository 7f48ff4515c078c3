import { expect, test } from 'vitest'
import type { PlanBody, ReceiptView } from '#protocol'
import type { Desk } from '../../src/web/voice/carry-out.ts'
import { takeTyped } from '../../src/web/voice/take-command.ts'
import { edit, write } from '../model/index.ts'
import { played } from '../operations/played.ts'
import { serving, type Serving } from '../server/serving.ts'

/** The page's part, without a page: its button, its dialog, its notices. */
function deskAt({ client }: Serving, session: string) {
  const receipts: ReceiptView[] = []
  let shown: PlanBody | null = null
  const apply = async (body: PlanBody): Promise<ReceiptView> => {
    const plan = await client.plan({ session, ...body })
    if (plan.schema === 'retake.receipt/1') return plan
    return client.apply({ plan: plan.id, confirmed: true })
  }
  const desk: Desk = {
    session,
    client,
    whyNotBack: () => null,
    goBack: () => client.back({ session }),
    showPlan: (body) => (shown = body),
    answerPlan(yes) {
      const body = shown
      shown = null
      if (body === null) return null
      if (!yes) return Promise.resolve({ kind: 'cancelled' })
      return apply(body).then((receipt) => ({ kind: 'done', receipt }))
    },
    approvals: () => [],
    answerApproval: () => Promise.resolve(),
    sendPrompt: () => {},
    show: (receipt) => void receipts.push(receipt),
    log: async (by, text) => void (await client.appendToVoiceLog({ session, by, text })),
    last: null,
  }
  return desk
}

test('[G9][G10] typed commands: small plans apply at once, large ones after a yes, every word in the log', async () => {
  const many = Object.fromEntries(['b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 'new\n']))
  await using p = await played({
    files: { a: 'one\n' },
    turns: {
      first: [edit('a', 'one', 'two'), 'It is two.'],
      second: [edit('a', 'two', 'three'), 'It is three.'],
      third: [Object.entries(many).map(([path, text]) => write(path, text)), 'Six files.'],
    },
  })
  await using server = await serving(p.s)
  const desk = deskAt(server, p.id)
  const say = async (words: string) => (await takeTyped(words, desk)).outcome
  const head = async () => (await server.client.session({ session: p.id })).head?.number
  const before = await p.files()

  expect(await say('undo')).toMatchObject({
    kind: 'asks',
    says: expect.stringMatching(/^This removes 6 files.* Say yes to do it, or no\.$/) as string,
  })
  expect(await say('no')).toEqual({ kind: 'done', says: 'Nothing was changed.' })
  expect(await p.files()).toEqual(before)
  await say('undo one turn')
  expect(await say('yes')).toMatchObject({ kind: 'done' })
  expect([await head(), Object.keys(await p.files())]).toEqual([
    2,
    expect.not.arrayContaining(['b']),
  ])

  expect(await say('undo one turn')).toEqual({
    kind: 'done',
    says: 'Undid 1 turn, a changed. Say undo to undo it.',
  })
  expect(await p.s.read('a')).toBe('two\n')
  expect(await say('undo')).toEqual({ kind: 'done', says: 'Undid the operation.' })
  expect([await head(), await p.s.read('a')]).toEqual([2, 'three\n'])

  expect(await say('go back')).toEqual({ kind: 'done', says: 'Undid 1 turn.' })
  expect([await head(), await p.s.read('a')]).toEqual([1, 'three\n'])
  // After an operation outside of voice, "go back" counts turns again, from the first.
  await server.client.redo({ session: p.id })
  expect(await say('undo, chat only')).toMatchObject({ kind: 'done' })
  expect([await head(), await p.s.read('a')]).toEqual([1, 'three\n'])
  expect(await say('go back')).toMatchObject({ kind: 'failed' })
  await say('redo')
  expect(await say('checkpoint works')).toEqual({
    kind: 'done',
    says: 'Turn 2 is now checkpoint “works”.',
  })
  expect((await say('status')).says).toMatch(/is at turn 2; it has 3 turns\. 1 turn is undone\./)
  expect(await say('rewind to turn 1')).toMatchObject({ kind: 'done' })
  expect(await say('switch to nowhere')).toMatchObject({ kind: 'failed' })
  await p.say('Another way, then', ['Fine.'])
  expect((await say('status')).says).toContain('The branch is “Another way, then”.')
  expect(await say('switch to Main')).toMatchObject({ kind: 'asks' })
  await say('yes')
  expect(await head()).toBe(3)
  expect(await say('switch to another way')).toMatchObject({ kind: 'asks' })
  await say('no')
  expect(await say('paint it blue')).toMatchObject({ kind: 'failed' })
  expect(await say('yes')).toEqual({ kind: 'failed', says: 'Nothing waits for an answer.' })

  const { lines } = await server.client.voiceLog({ session: p.id })
  expect(lines.filter(({ by }) => by === 'you').map(({ text }) => text)).toEqual([
    'undo',
    'no',
    'undo one turn',
    'yes',
    'undo one turn',
    'undo',
    'go back',
    'undo, chat only',
    'go back',
    'redo',
    'checkpoint works',
    'status',
    'rewind to turn 1',
    'switch to nowhere',
    'status',
    'switch to Main',
    'yes',
    'switch to another way',
    'no',
    'paint it blue',
    'yes',
  ])
  expect(lines.filter(({ by }) => by === 'retake')).toHaveLength(21)
})
