import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { LeavesView } from '#protocol'
import { write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { answeringHere } from './in-process.ts'
import { expectProblem } from './serving.ts'

const play = playedOnce({
  turns: { first: [write('a.txt', 'a\n'), 'ok'], second: [write('b.txt', 'b\n'), 'ok'] },
})

test('[W12][W13][W17][W18][W19][B6] branches are switched to, named, archived, made canonical and deleted; turns get names', async () => {
  const p = await play()
  await p.run('undo')
  await p.say('other', [write('c.txt', 'c\n'), 'ok'])
  await using server = await answeringHere(p.s)
  const { client } = server
  const at = `/api/sessions/${p.id}`
  const leaves = async (): Promise<LeavesView['leaves']> =>
    (await client.leaves({ session: p.id })).leaves
  const [other, main] = await leaves()
  expect([other!.title, main!.title]).toEqual(['other', 'first'])

  const { entries } = await client.stash({ session: p.id })
  expect(entries).toMatchObject([{ verb: 'undo', turns: [{ prompt: 'second' }] }])
  const entry = String(entries[0]!.id)
  expect(await server.get(`${at}/stash/${entry}`)).toMatchObject({ status: 200 })
  expectProblem(await server.get(`${at}/stash/999`), { status: 404, code: 'stash-not-found' })
  expect(await client.compare({ a: other!.branch, b: 'main' })).toMatchObject({
    fork: { prompt: 'first' },
    sides: [{ turns: [{ prompt: 'other' }] }, { turns: [{ prompt: 'second' }] }],
    files: [{ path: 'b.txt' }, { path: 'c.txt' }],
  })
  expect(await server.get(`/api/compare?a=${other!.branch}&b=main`)).toMatchObject({ status: 200 })
  expect(await client.restoreStash({ session: p.id, entry })).toMatchObject({ verb: 'switch' })
  await client.switch({ session: p.id, branch: other!.branch })
  expect(await client.switch({ session: p.id, branch: 'main' })).toMatchObject({ verb: 'switch' })
  expect(Object.keys(await p.files())).toContain('b.txt')
  await client.changeBranch({ branch: other!.branch, name: 'with c' })
  expect((await leaves()).find(({ branch }) => branch === other!.branch)?.title).toBe('with c')
  await client.changeBranch({ branch: other!.branch, archived: true })
  expect(await server.get(`${at}/branches`)).toMatchObject({
    body: {
      branches: [
        { label: 'main', current: true },
        { label: 'with c', archived: true },
      ],
    },
  })
  await client.switch({ session: p.id, branch: 'with c', turn: 1 })
  expect(await server.post(`/api/branches/${other!.branch}/canonical`)).toMatchObject({
    status: 200,
  })

  await client.setCheckpoint({ session: p.id, name: 'good', turn: 1 })
  expect(await server.get(`${at}/checkpoints`)).toMatchObject({
    body: { checkpoints: [{ name: 'good', prompt: 'first' }] },
  })
  await client.redo({ session: p.id })
  expect(await client.rewind({ session: p.id, turn: 'good' })).toMatchObject({ turnsUndone: 1 })
  await client.deleteCheckpoint({ session: p.id, name: 'good' })
  expectProblem(await server.post(`${at}/rewind`, { turn: 'good' }), {
    status: 404,
    code: 'turn-not-found',
  })
  expect(await client.deleteBranch({ branch: p.id })).toMatchObject({ verb: 'branch-delete' })
  expect((await leaves()).map(({ title }) => title)).toEqual(['with c'])
  const { operations } = await client.operations({ session: p.id, limit: 1 })
  await client.undoOperation({ operation: operations[0]!.ref! })
  expect(await leaves()).toHaveLength(2)
  expectProblem(await server.post(`${at}/switch`, { branch: 'nowhere' }), {
    status: 404,
    code: 'branch-not-found',
  })
})

test('[W7][W8][W11] a turn becomes the start of a new session, over HTTP and over the WebSocket', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const at = `/api/sessions/${p.id}`
  const made = await server.post(`${at}/branch`, { turn: 1, title: 'Another way' })
  expect(made).toMatchObject({
    status: 200,
    body: {
      schema: 'retake.branched/1',
      session: { title: 'Another way', turns: 1, parent: { session: p.id } },
      receipt: { verb: 'branch', filesReverted: ['b.txt'] },
    },
  })
  expectProblem(await server.post(`${at}/branch`, { turn: 9 }), {
    status: 404,
    code: 'turn-not-found',
  })

  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, [
    'retake',
    server.record.token,
  ])
  await once(socket, 'open')
  const answers: Record<string, unknown>[] = []
  socket.on('message', (data: Buffer) =>
    answers.push(JSON.parse(data.toString()) as Record<string, unknown>),
  )
  const ask = async (message: object): Promise<Record<string, unknown>> => {
    const requestId = `r${answers.length}`
    socket.send(JSON.stringify({ ...message, requestId }))
    for (;;) {
      const found = answers.find((answer) => answer['requestId'] === requestId)
      if (found !== undefined) return found
      await once(socket, 'message')
    }
  }
  const event = 'rewind_session'
  const created = await ask({ event, sessionId: p.id, rewindToTurn: 1 })
  expect(created).toMatchObject({
    event: 'session_created',
    parentSessionId: p.id,
    session: { title: 'first (Branch)', turns: 1, lineage: { rewindFromTurn: 1 } },
  })
  // All others are notified of the new session.
  const isTold = (each: Record<string, unknown>): boolean =>
    each['event'] === 'session.created' && each['session'] === created['sessionId']
  while (!answers.some(isTold)) await once(socket, 'message')
  expect(await ask({ event, sessionId: p.id })).toMatchObject({
    event: 'error',
    code: 'body-invalid',
  })
  expect(await ask({ event, sessionId: '../x', rewindToTurn: 1 })).toMatchObject({
    code: 'session-not-found',
  })
  // Given its id, the session gets a title; a branch inside a session would get a name.
  const sessionId = created['sessionId'] as string
  expect(await server.client.changeBranch({ branch: sessionId, name: 'Named' })).toMatchObject({
    verb: 'branch-rename',
    session: sessionId,
    name: 'Named',
  })
  expect(await server.client.session({ session: sessionId })).toMatchObject({ title: 'Named' })
  const { messages } = await server.client.messages({ session: sessionId })
  expect(messages.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual(['first'])
  socket.terminate()
})
