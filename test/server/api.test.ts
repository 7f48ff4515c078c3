import { expect, test } from 'vitest'
import type { LogView, MessagesView, OperationsView, PlanView, ReceiptView } from '#protocol'
import { bash, edit, write } from '../model/index.ts'
import { footprint, expectOnly } from '../operations/footprint.ts'
import { playedOnce } from '../operations/played.ts'
import { answeringHere } from './in-process.ts'
import { expectProblem, serving } from './serving.ts'

const play = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    first: [edit('a.txt', 'one', 'ONE'), 'done'],
    second: [[write('b.txt', 'b\n'), bash('true')], 'made b'],
    third: [edit('a.txt', 'three', 'THREE'), 'changed a'],
  },
})

test('[G3][G4] back removes one round each time, the messages shrink, and at the first it is 400', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const messages = async () =>
    (await server.client.messages({ session: p.id })).messages.map(
      ({ role, text }) => `${role} ${text}`,
    )
  const at = `/api/sessions/${p.id}`
  const all = await messages()
  expect(all).toEqual([
    'user first', 'assistant ', 'assistant done',
    'user second', 'assistant ', 'assistant made b',
    'user third', 'assistant ', 'assistant changed a',
  ]) // prettier-ignore
  const before = await footprint(p.s)
  expect(await server.post(`${at}/back`)).toMatchObject({
    status: 200,
    body: { conversation: 'moved', filesReverted: [], messagesRemoved: 3, prompt: 'third' },
  })
  expect(await messages()).toEqual(all.slice(0, 6))
  expect((await server.post(`${at}/back`)).status).toBe(200)
  expect(await messages()).toEqual(all.slice(0, 3))
  const moved = await footprint(p.s)
  expectOnly(before, moved, { changed: [], appended: 'may' })
  expectProblem(await server.post(`${at}/back`), { status: 400, code: 'already-at-start' })
  expectOnly(moved, await footprint(p.s), { changed: [], appended: 'no' })
  // What the agent itself would send to the model.
  expect(await p.sent()).toEqual(['first'])
})

test('[U4][U7][U9][B2][W3] undo, redo, rewind and op undo return what they did, and the state follows', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const at = `/api/sessions/${p.id}`
  const whole = await p.files()
  expect(await server.post(`${at}/undo`, { count: 2 })).toMatchObject({
    status: 200,
    body: {
      schema: 'retake.receipt/1',
      turnsUndone: 2,
      messagesRemoved: 6,
      filesReverted: ['a.txt', 'b.txt'],
      snapshotRestored: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      conversation: 'moved',
    },
  })
  expect(await server.get(`${at}/undo-state`)).toMatchObject({
    body: { currentTurn: 1, totalTurns: 3, undone: 2, activeBranch: { id: p.id, label: 'main' } },
  })
  expect((await p.status()).undone).toBe(2)
  expect(await server.post(`${at}/redo`, { all: true })).toMatchObject({ body: { turnsRedone: 2 } })
  expect(await p.files()).toEqual(whole)
  expect(await server.post(`${at}/redo`)).toMatchObject({
    status: 200,
    body: { turnsRedone: 0, nothing: 'Nothing to redo: no turn is undone.' },
  })
  expect(await server.post(`${at}/rewind`, { turn: 1 })).toMatchObject({ body: { turnsUndone: 2 } })
  const operations = (await server.get('/api/operations')).body as unknown as OperationsView
  expect(operations.operations.map(({ verb }) => verb)).toEqual(['rewind', 'redo', 'undo'])
  const { ref } = operations.operations[0]!
  expect(await server.post(`/api/operations/${ref}/undo`)).toMatchObject({ status: 200 })
  expect(await p.files()).toEqual(whole)
  expect(await server.post(`${at}/revert`, { turn: 2 })).toMatchObject({
    body: { verb: 'revert', filesReverted: ['b.txt'], conversation: 'unchanged' },
  })
  expect(await server.post(`${at}/restore`, { files: ['a.txt'], at: 0 })).toMatchObject({
    body: { filesReverted: ['a.txt'] },
  })
  expect(await p.s.read('a.txt')).toBe('one\ntwo\nthree\n')
})

test('[F3][F7] a tool result resolves to its prompt, both ids are logged, and failures are distinct', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const at = `/api/sessions/${p.id}`
  const { rows } = await p.agent.transcript(p.id)
  const result = rows.findLast(
    (row) => row['type'] === 'user' && JSON.stringify(row['message']).includes('tool_result'),
  )!['uuid'] as string
  const turns = await p.log()
  const plan = await server.post(`${at}/plans`, { verb: 'rewind', turn: result, before: true })
  expect(plan).toMatchObject({ status: 200, body: { target: { prompt: 'third' }, turns: 1 } })
  const log = await p.s.read(`${p.s.env['XDG_STATE_HOME']}/retake/server.log`)
  expect(log).toContain(JSON.stringify({ askedFor: result, resolvedTo: turns[2]!.id }).slice(1, -1))

  const before = await footprint(p.s)
  const none = '00000000-0000-4000-8000-000000000000'
  const answers = {
    'session-not-found': [404, await server.get(`/api/sessions/${none}/messages`)],
    'id-invalid': [400, await server.get('/api/sessions/..%2f..%2fetc%2fpasswd')],
    'turn-not-found': [404, await server.post(`${at}/rewind`, { turn: none })],
    'body-invalid': [400, await server.post(`${at}/undo`, { count: 0 })],
    'path-not-known': [404, await server.post(`${at}/restore`, { files: ['/etc/passwd'], at: 1 })],
    'plan-not-found': [404, await server.post(`/api/plans/${'0'.repeat(32)}/apply`)],
    'operation-not-found': [404, await server.post('/api/operations/999/undo', { session: p.id })],
    'message-not-found': [404, await server.get(`${at}/messages?before=${none}`)],
  } as const
  for (const [code, [status, answer]] of Object.entries(answers))
    expectProblem(answer, { status, code })
  expect(answers['turn-not-found'][1].body['hint']).toBe('Turns are numbered 1 to 3.')
  // A misspelled guard must not be ignored.
  expectProblem(await server.post(`${at}/undo`, { expecthead: 'x' }), {
    status: 400,
    code: 'body-invalid',
  })
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
})

test('[B9][B10][F5][F10][sem.O1][sem.M7] plan, inspect, choose, apply: a conflict writes nothing, and a choice must name a file of the plan', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const at = `/api/sessions/${p.id}`
  await p.s.write('a.txt', 'ONE\ntwo\nmine\n')
  const before = await footprint(p.s)
  const one = await server.post(`${at}/undo`)
  expectProblem(one, { status: 409, code: 'conflict' })
  expect(one.body['details']).toEqual({ files: ['a.txt'] })
  expect(one.body['hint']).toBe(
    'Nothing was changed. Send `choices` with POST /api/plans/PLAN/apply: for each file keep-mine, put-back or mark.',
  )
  const planned = await server.post(`${at}/plans`, { verb: 'undo' })
  const plan = planned.body as unknown as PlanView
  expect(plan).toMatchObject({
    target: { prompt: 'third' },
    turns: 1,
    messages: 3,
    files: [{ path: 'a.txt', verb: 'conflict', choices: ['keep-mine', 'put-back', 'mark'] }],
  })
  expect(await server.get(`/api/plans/${plan.id}/files/0`)).toMatchObject({
    body: { files: [{ path: 'a.txt' }] },
  })
  expectProblem(await server.get(`/api/plans/${plan.id}/files/7`), {
    status: 404,
    code: 'file-not-found',
  })
  expectProblem(await server.post(`/api/plans/${plan.id}/apply`), { status: 409, code: 'conflict' })
  expectProblem(
    await server.post(`/api/plans/${plan.id}/apply`, { choices: { '../x': 'put-back' } }),
    { status: 404, code: 'path-not-known' },
  )
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
  const choices = { 'a.txt': 'put-back' as const }
  const done = await server.client.apply({ plan: plan.id, choices })
  expect(done).toMatchObject({ turnsUndone: 1, filesReverted: ['a.txt'] })
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nthree\n')
  // A repeated request returns the same operation.
  expect(await server.client.apply({ plan: plan.id, choices })).toEqual(done)
  expect((await p.status()).undone).toBe(1)
})

test('[F8][W20][sem.O1] of two requests based on the same state one gets 409 with what changed', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const at = `/api/sessions/${p.id}`
  const head = (await p.status()).head!.id
  const plans = await Promise.all(
    [{ verb: 'undo' }, { verb: 'rewind', turn: 1 }].map((body) => server.post(`${at}/plans`, body)),
  )
  const [first, second] = plans.map(({ body }) => (body as unknown as PlanView).id)
  const applied = await Promise.all(
    [first, second].map((id) => server.post(`/api/plans/${id}/apply`)),
  )
  expect(applied.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const refused = applied.find(({ status }) => status === 409)!
  expectProblem(refused, { status: 409, code: 'plan-stale' })
  const { changed } = refused.body['details'] as { changed: { head: object; files: string[] } }
  expect(changed.head).toMatchObject({ was: head })
  expect(refused.body['message']).toMatch(/made at turn 3, the session is now at turn [12]/)

  await p.run('rewind', '3')
  const twice = await Promise.all([1, 2].map(() => server.post(`${at}/undo`, { expectHead: head })))
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect((await p.status()).undone).toBe(1)
  const late = await server.post(`${at}/undo`, { expectHead: head })
  expectProblem(late, { status: 409, code: 'head-moved' })
  expect(late.body['details']).toMatchObject({ expected: head })

  // A file is saved after the plan was made.
  await p.run('redo')
  const plan = (await server.post(`${at}/plans`, { verb: 'undo' })).body as unknown as PlanView
  await p.s.write('a.txt', 'ONE\nother\nTHREE\n')
  const stale = await server.post(`/api/plans/${plan.id}/apply`)
  expectProblem(stale, { status: 409, code: 'plan-stale' })
  expect(stale.body['details']).toEqual({ changed: { head: null, files: ['a.txt'] } })
})

test('[G5][B3][W22][F11] leaves, tree, figures, a complete turn, and long lists in pages', async () => {
  const p = await play()
  await p.run('undo', '2')
  await p.say('other way', [write('c.txt', 'c\n'), 'made c'])
  await using server = await answeringHere(p.s)
  const at = `/api/sessions/${p.id}`
  const { leaves } = (await server.get(`${at}/leaves`)).body as {
    leaves: Record<string, unknown>[]
  }
  expect(leaves).toMatchObject([
    { title: 'other way', turns: 2, current: true },
    { title: 'first', turns: 3, current: false, branch: p.id },
  ])
  expect(await server.get(`${at}/tree`)).toMatchObject({
    status: 200,
    body: { head: leaves[0]!['tip'] },
  })
  expect(await server.get(at)).toMatchObject({ body: { schema: 'retake.status/1', branches: 2 } })
  expect(await server.get(`${at}/turns/1`)).toMatchObject({ body: { turn: { prompt: 'first' } } })

  const whole = (await server.get(`${at}/turns`)).body as unknown as LogView & { more: boolean }
  expect({ turns: whole.turns.length, more: whole.more }).toEqual({ turns: 4, more: false })
  const newest = await server.client.turns({ session: p.id, limit: 2 })
  expect(newest.head).toEqual(whole.head)
  expect(newest).toMatchObject({ turns: whole.turns.slice(2), more: true })
  const older = await server.client.turns({ session: p.id, limit: 2, before: newest.turns[0]!.id })
  expect(older).toMatchObject({ turns: whole.turns.slice(0, 2), more: false, head: whole.head })

  const all = (await server.get(`${at}/messages`)).body as unknown as MessagesView
  const pages: string[] = []
  for (let before: string | undefined, more = true; more;) {
    const page = await server.client.messages({ session: p.id, limit: 2, before })
    pages.unshift(...page.messages.map(({ id }) => id))
    ;({ more } = page)
    before = page.messages[0]!.id
  }
  expect(pages).toEqual(all.messages.map(({ id }) => id))

  const undone: ReceiptView = await server.client.undo({ session: p.id })
  expect(undone.turnsUndone).toBe(1)
  expect(await server.get('/api/figures')).toMatchObject({
    body: {
      sessions: 1,
      sessionsMoved: 1,
      branchesPerSession: 2,
      operations: 2,
      operationsFailed: 0,
    },
  })
})

test('[F8][B3][B14] the state is the same after a restart and over HTTP; only operations change it, no request posts state or content', async () => {
  const p = await play()
  const at = `/api/sessions/${p.id}`
  let first: unknown
  {
    await using server = await serving(p.s)
    await server.post(`${at}/undo`)
    first = (await server.get(`${at}/undo-state`)).body
    expect(await server.end()).toBe(0)
  }
  await using server = await answeringHere(p.s)
  expect((await server.get(`${at}/undo-state`)).body).toEqual(first)
  expect((await p.status()).undone).toBe(1)
  const content = 'mine\n'
  for (const [path, body] of [
    ['undo-state', { undone: 0 }],
    ['files/a.txt', { content }],
    ['truncate', { turn: 1 }],
    ['restore', { files: ['a.txt'], at: 1, content }],
    ['undo', { count: 1, transcript: content }],
  ] as const)
    expect((await server.post(`${at}/${path}`, body)).status, path).toBeOneOf([400, 404])
  expect((await server.get(`${at}/undo-state`)).body).toEqual(first)
  await p.run('redo')
  expect(await server.get(`${at}/undo-state`)).toMatchObject({ body: { undone: 0 } })
})

test('[B14] operations write, delete and verify files and cut the conversation; requests name no path or content', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  const at = `/api/sessions/${p.id}`
  const headers = {
    Authorization: `Bearer ${server.record.token}`,
    'Content-Type': 'application/json',
  }
  const before = await p.transcript()
  const whole = await p.files()
  const start = await footprint(p.s)

  // The state can be read; no route saves it.
  const state = (await server.get(`${at}/undo-state`)).body
  expect(state).toMatchObject({ currentTurn: 3, totalTurns: 3, undone: 0 })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of [`${at}/undo-state`, `${at}/messages`, `${at}/turns`, '/api/files']) {
      const body = JSON.stringify({ currentTurn: 1, path: 'a.txt', content: 'x' })
      const { status } = await fetch(`${server.url}${path}`, { method, headers, body })
      expect({ method, path, status }).toEqual({ method, path, status: 404 })
    }
  // A file is named as the turns name it.
  const smuggled = [
    [`${at}/restore`, { files: ['../../.ssh/authorized_keys'], at: 0 }, 'path-not-known'],
    [`${at}/restore`, { files: [`${p.s.project}/../x`], at: 0 }, 'path-not-known'],
    [`${at}/plans`, { verb: 'write', path: 'a.txt', content: 'x' }, 'body-invalid'],
    [`${at}/plans`, { verb: 'truncate', lines: 1 }, 'body-invalid'],
  ] as const
  for (const [path, body, code] of smuggled)
    expect((await server.post(path, body)).body).toMatchObject({ code })
  expectOnly(start, await footprint(p.s), { changed: [], appended: 'no' })

  // One file is written, one is deleted, the end of the conversation goes, and all is read back.
  const { body: receipt } = await server.post(`${at}/rewind`, { turn: 1 })
  expect(receipt).toMatchObject({
    turnsUndone: 2,
    filesReverted: ['a.txt', 'b.txt'],
    snapshotBefore: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    snapshotRestored: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
  })
  expect(await p.files()).toMatchObject({ 'a.txt': 'ONE\ntwo\nthree\n' })
  expect(await p.files()).not.toHaveProperty('b.txt')
  expect((await server.get(`${at}/messages`)).body['messages']).toHaveLength(3)
  expect((await server.get(`${at}/undo-state`)).body).toMatchObject({ currentTurn: 1, undone: 2 })
  // No line of the transcript is gone.
  const after = await p.transcript()
  expect(Buffer.from(after.subarray(0, before.length))).toEqual(Buffer.from(before))

  // The state follows the operations: undoing the last one restores it.
  await server.post(`/api/operations/${String(receipt['operation'])}/undo`, { session: p.id })
  expect((await server.get(`${at}/undo-state`)).body).toEqual(state)
  expect(await p.files()).toEqual(whole)
})
