import { afterAll, expect, test } from 'vitest'
import type { RunEventView } from '#protocol'
import { claudeCode, helloSession } from '../agent/index.ts'
import { bash, read, scriptedModel, write } from '../model/index.ts'
import { scene } from '../scene.ts'
import { answeringHere } from './in-process.ts'
import { expectProblem, serving, type Answering } from './serving.ts'

const files = { a: '1\n', '.env': 'KEY=CANARY\n' }

/** A session with the turn "hello", an agent that answers, and no server yet. */
async function world() {
  const s = await scene({ files, git: true })
  const model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('hello', 'hi')
  const id = await helloSession(s)
  return {
    s,
    model,
    agent,
    id,
    at: `/api/sessions/${id}`,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await s[Symbol.asyncDispose]()
    },
  }
}

async function open() {
  const w = await world()
  return { ...w, server: await answeringHere(w.s, w.agent.env) }
}

let opened: ReturnType<typeof open> | undefined

/**
 * One server and one session for the tests of this file: each ends where it began, after "hello".
 */
const running = () => (opened ??= open())

afterAll(async () => {
  const r = await opened
  await r?.server[Symbol.asyncDispose]()
  await r?.[Symbol.asyncDispose]()
})

/** Follows a turn and can wait for one of its events. */
function follow(
  open: (onEvent: (event: RunEventView, id: string) => void, signal: AbortSignal) => Promise<void>,
) {
  const heard: { event: RunEventView; id: string }[] = []
  const waiting = new Set<() => void>()
  const leave = new AbortController()
  const over = open((event, id) => {
    heard.push({ event, id })
    for (const look of waiting) look()
  }, leave.signal).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
  return {
    heard,
    over,
    types: () => heard.map(({ event }) => event.type),
    leave: () => leave.abort(),
    until<T extends RunEventView['type']>(type: T) {
      return new Promise<{ event: Extract<RunEventView, { type: T }>; id: string }>((resolve) => {
        const look = (): void => {
          const found = heard.find(({ event }) => event.type === type)
          if (found !== undefined) resolve(found as never)
        }
        waiting.add(look)
        look()
      })
    },
  }
}

const say = (
  server: Answering,
  session: string,
  prompt: string,
  permissionMode = 'bypassPermissions',
) =>
  follow((onEvent, signal) =>
    server.client.converse({ session, prompt, permissionMode }, { onEvent, signal }),
  )

test('[W2][U7][S14] converse streams a turn; a client that reconnects misses nothing', async () => {
  const r = await running()
  await using listener = await r.server.listen()
  r.model.on('go', [
    [bash('echo 2 > a'), read('.env')],
    { blocks: ['first ', 'second'], hang: 'after' },
  ])
  const first = say(r.server, r.id, 'go')
  await r.model.hanging()
  await first.until('text')
  first.leave()
  await first.over
  const after = first.heard.at(-1)!.id
  const again = follow((onEvent, signal) =>
    r.server.client.rejoin({ session: r.id }, { onEvent, signal, after }),
  )
  const whole = follow((onEvent, signal) =>
    r.server.client.rejoin({ session: r.id }, { onEvent, signal }),
  )
  r.model.release()
  await Promise.all([again.over, whole.over])
  expect(whole.heard[0]!.event).toMatchObject({ type: 'started', ended: false })
  const later = follow((onEvent, signal) =>
    r.server.client.rejoin({ session: r.id }, { onEvent, signal }),
  )
  await later.over
  expect(later.heard[0]!.event).toMatchObject({ type: 'started', ended: true })
  expect(later.heard.slice(1)).toEqual(whole.heard.slice(1))
  expect(whole.types().at(-1)).toBe('turn_end')
  expect([...first.heard, ...again.heard]).toEqual(whole.heard)
  for (const name of ['turn.started', 'turn.ended', 'session.updated'] as const)
    await listener.until(({ event }) => event === name)
  // Once it reports the end, the session can be moved at once.
  expect(await r.server.post(`${r.at}/undo`)).toMatchObject({ body: { turnsUndone: 1 } })
  expect(await r.s.files()).toEqual(files)
  // The content of a secret file is not in the result of reading it.
  expect(whole.types().filter((type) => type === 'tool_result')).toHaveLength(2)
  expect(JSON.stringify(whole.heard)).not.toContain('CANARY')
})

test('[G6][G7][W14] back and undo during a turn stop it, and the round is gone; two windows see one approval, one answers, undo answers no; a plan waits', async () => {
  const r = await running()
  r.model.on('one', [[bash('echo 2 > a')], { blocks: ['half'], hang: 'after' }])
  const one = say(r.server, r.id, 'one')
  await r.model.hanging()
  expect(await r.server.post(`${r.at}/back`)).toMatchObject({ body: { conversation: 'moved' } })
  await one.over
  expect(await r.s.files()).toEqual({ ...files, a: '2\n' })
  expectProblem(await r.server.post(`${r.at}/back`), { status: 400, code: 'already-at-start' })
  await r.s.write('a', files.a)

  await using listener = await r.server.listen()
  r.model.on('write', [[bash('echo 2 > a')], [write('y', '1\n')], 'done'])
  const mine = say(r.server, r.id, 'write', 'default')
  const { event: asked } = await mine.until('approval')
  await listener.until(({ event }) => event === 'approval.asked')
  const yes = await r.server.post(`/api/approvals/${asked.id}`, { allow: true })
  expect(yes).toMatchObject({ status: 200, body: { allow: true } })
  expectProblem(await r.server.post(`/api/approvals/${asked.id}`, { allow: true }), {
    status: 404,
    code: 'approval-not-found',
  })
  const second = (): boolean =>
    mine.heard.filter(({ event }) => event.type === 'approval').length === 2
  await expect.poll(second, { timeout: 30_000 }).toBe(true)
  // The real agent sends nothing of the round before.
  expect(r.model.userTexts()).toEqual(['hello', 'write'])
  expect(await r.s.files()).toEqual({ ...files, a: '2\n' })
  expectProblem(await r.server.post(`${r.at}/plans`, { verb: 'undo' }), {
    status: 409,
    code: 'session-busy',
  })
  expect(await r.server.post(`${r.at}/undo`)).toMatchObject({ body: { turnsUndone: 1 } })
  await mine.over
  expect(mine.heard.at(-1)!.event).toEqual({ type: 'turn_end', outcome: 'interrupted' })
  expect(await r.s.files()).toEqual(files)
  expect(await r.server.get(`${r.at}/undo-state`)).toMatchObject({ body: { currentTurn: 1 } })
})

test('[W2] abort clears the queue, a new session starts in a known project, and a wrong directory is refused', async () => {
  const r = await running()
  r.model.on('hang', [{ blocks: ['half'], hang: 'after' }])
  const one = say(r.server, r.id, 'hang')
  await r.model.hanging()
  const two = say(r.server, r.id, 'never said')
  expect((await two.until('started')).event.queued).toBe(true)
  expect(await r.server.post(`${r.at}/abort`)).toMatchObject({
    body: { stopped: true, dropped: ['never said'] },
  })
  await Promise.all([one.over, two.over])
  expect(await r.server.post(`${r.at}/abort`)).toMatchObject({ body: { stopped: false } })
  expect(await r.server.post(`${r.at}/undo`)).toMatchObject({ status: 200 })

  const { projects } = await r.server.client.projects({})
  expect(projects).toMatchObject([{ path: r.s.project, sessions: 1 }])
  const fresh = follow((onEvent, signal) =>
    r.server.client.start({ project: projects[0]!.id, prompt: 'hello' }, { onEvent, signal }),
  )
  const { event: started } = await fresh.until('started')
  await fresh.over
  expect(started.session).not.toBe(r.id)
  expect(r.model.userTexts()).toEqual(['hello'])
  const nowhere = await r.server.post('/api/converse', { project: '0'.repeat(32), prompt: 'x' })
  expectProblem(nowhere, { status: 404, code: 'project-missing' })
  expectProblem(await r.server.post('/api/converse', { project: '/etc', prompt: 'x' }), {
    status: 400,
    code: 'body-invalid',
  })
})

test('[F8] if the server ends during a turn, the agent ends too, and the next server knows the state', async () => {
  await using r = await world()
  await using server = await serving(r.s, { env: r.agent.env })
  r.model.on('go', [[bash('echo 2 > a'), read('.env')], { blocks: ['half'], hang: 'after' }])
  const turn = say(server, r.id, 'go')
  await r.model.hanging()
  expect(await server.end('SIGTERM')).toBe(0)
  await turn.over.catch(() => undefined)
  await using next = await answeringHere(r.s, r.agent.env)
  expect(await next.get(r.at)).toMatchObject({ body: { live: null, head: { number: 2 } } })
  expect(await next.post(`${r.at}/undo`)).toMatchObject({ body: { turnsUndone: 1 } })
  expect(await r.s.files()).toEqual(files)
})
