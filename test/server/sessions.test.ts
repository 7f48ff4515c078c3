import { expect, test } from 'vitest'
import type { ReceiptsView, ReceiptView, SessionsView } from '#protocol'
import { edit } from '../model/index.ts'
import { expectOnly, footprint } from '../operations/footprint.ts'
import { playedOnce } from '../operations/played.ts'
import { answeringHere } from './in-process.ts'
import { expectProblem } from './serving.ts'

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: { first: [edit('a.txt', 'one', 'ONE'), 'ok'], second: ['ok'] },
})

test('[W17][W11][U9] whole sessions are renamed, archived and deleted, one or many; each can be undone, and the agent’s files stay', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const { client } = server
  const { session: made } = await client.branch({ session: p.id, turn: 1, title: 'Other way' })
  const list = async () => {
    const { body } = await server.get('/api/sessions')
    const { sessions } = body as unknown as SessionsView
    return Object.fromEntries(sessions.map((each) => [each.id, each]))
  }
  const ask = async (method: 'PATCH' | 'DELETE', path: string, body?: object) => {
    const answer = await fetch(`${server.url}/api/sessions${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${server.record.token}`,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const before = await footprint(p.s)
  const untouched = async () =>
    expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })

  await using stream = await server.listen()
  const renamed = await client.changeSession({ session: p.id, title: '  My   login page ' })
  expect(renamed).toMatchObject({ verb: 'session-rename', name: 'My login page' })
  await stream.until((event) => event.event === 'session.updated' && event.session === p.id)
  expect((await list())[p.id]).toMatchObject({ title: 'My login page', archived: false })
  expect((await server.get(`/api/sessions/${p.id}`)).body).toMatchObject({
    title: 'My login page',
  })

  const archived = await client.changeSession({ session: p.id, archived: true })
  expect((await list())[p.id]).toMatchObject({ title: 'My login page', archived: true })
  expect(await client.changeSession({ session: p.id, archived: true })).toMatchObject({
    operation: null,
    nothing: 'Nothing to do.',
  })
  // Each is undone by itself, whatever was done after it.
  await client.undoOperation({ operation: String(renamed.operation), session: p.id })
  expect((await list())[p.id]).toMatchObject({ title: 'first', archived: true })
  await client.undoOperation({ operation: String(archived.operation), session: p.id })
  expect((await list())[p.id]).toMatchObject({ archived: false })

  const { receipts } = await client.deleteSessions({ sessions: [p.id, made.id] })
  expect(receipts).toHaveLength(1)
  expect(receipts[0]!.branches!.map(({ id }) => id)).toEqual([p.id, made.id])
  expect(await list()).toEqual({})
  // By its id it is still there, and the command line still finds what to undo.
  expect((await server.get(`/api/sessions/${p.id}/turns`)).status).toBe(200)
  const { stdout } = await p.s.retake('sessions', '--json')
  expect((JSON.parse(stdout) as SessionsView).sessions).toEqual([])
  expect((await p.s.retake('op', 'undo')).stdout).toContain('Undid the operation')
  expect(Object.keys(await list()).toSorted()).toEqual([p.id, made.id].toSorted())

  expect(await client.deleteSession({ session: made.id })).toMatchObject({ verb: 'session-delete' })
  expect(Object.keys(await list())).toEqual([p.id])
  expect(await client.changeSessions({ sessions: [p.id], archived: true })).toMatchObject({
    schema: 'retake.receipts/1',
  } satisfies Partial<ReceiptsView>)
  await untouched()

  // If one of them is refused, nothing is done.
  const none = '00000000-0000-4000-8000-000000000000'
  expectProblem(await ask('DELETE', '', { sessions: [p.id, none] }), {
    status: 404,
    code: 'session-not-found',
  })
  expectProblem(await ask('PATCH', `/${p.id}`, {}), {
    status: 400,
    code: 'body-invalid',
  })
  expectProblem(await ask('PATCH', `/${p.id}`, { title: ' ' }), {
    status: 400,
    code: 'name-not-possible',
  })
  expect(Object.keys(await list())).toEqual([p.id])

  // A prompt in a deleted session brings it back.
  await p.say('third', ['ok'])
  expect((await list())[p.id]).toMatchObject({ archived: false, turns: 3 })
})

test('[W11] the newer name wins, whether it was given in Retake or in the agent', async () => {
  const p = await play()
  const title = async () => {
    const { stdout } = await p.s.retake('sessions', '--json')
    return (JSON.parse(stdout) as SessionsView).sessions.map((each) => each.title)
  }
  const rename = async (name: string) => {
    const { stdout } = await p.s.retake('sessions', 'rename', p.id, name, '--json')
    return JSON.parse(stdout) as ReceiptView
  }
  await rename('From Retake')
  expect(await title()).toEqual(['From Retake'])
  await p.agent.prompt('/rename From Claude', { resume: p.id, recorded: true })
  expect(await title()).toEqual(['From Claude'])
  expect(await rename('Retake again')).toMatchObject({ branches: [{ label: 'From Claude' }] })
  expect(await title()).toEqual(['Retake again'])
  const { stdout } = await p.s.retake('sessions')
  expect(stdout).toContain('Retake again')
})
