import { once } from 'node:events'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { EventView } from '#protocol'
import { helloSeen } from '../capture/hello-seen.ts'
import { edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { scene } from '../scene.ts'
import { answeringHere, servingHere } from './in-process.ts'
import { EVENT_TIMEOUT_MS, noEvent, type Answering } from './serving.ts'
import { procStartOf } from '../house/process-facts.ts'

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: { first: [edit('a.txt', 'one', 'ONE'), 'ok'], second: [write('b.txt', 'b\n'), 'ok'] },
})

interface Socket extends AsyncDisposable {
  readonly socket: WebSocket
  until(fits: (event: EventView) => boolean): Promise<EventView>
}

async function openSocket({ record, url }: Answering, after = ''): Promise<Socket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws${after}`, ['retake', record.token])
  // Missed events can arrive together with the response to the upgrade.
  const heard: EventView[] = []
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as EventView))
  await once(socket, 'open')
  return {
    socket,
    async until(fits) {
      for (;;) {
        const found = heard.find(fits)
        if (found !== undefined) return found
        const signal = AbortSignal.timeout(EVENT_TIMEOUT_MS)
        await once(socket, 'message', { signal }).catch(() => {
          throw noEvent(fits, heard)
        })
      }
    },
    async [Symbol.asyncDispose]() {
      socket.terminate()
    },
  }
}

test('[U7][F8] all windows are notified of every change, whoever made it, and show the same afterwards', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  await using stream = await server.listen()
  await using other = await openSocket(server)
  expect(other.socket.protocol).toBe('retake')
  const isUpdate = (event: EventView) => event.event === 'session.updated' && event.session === p.id
  const seen = async (): Promise<void> => {
    // Each window requests again when notified, and both get the same.
    const [one, two] = await Promise.all([
      stream.until(isUpdate).then(() => server.get(`/api/sessions/${p.id}/undo-state`)),
      other.until(isUpdate).then(() => server.get(`/api/sessions/${p.id}/undo-state`)),
    ])
    expect(one).toEqual(two)
  }

  // A window.
  const { operation } = await server.client.undo({ session: p.id })
  await seen()
  const isOperation = (verb: string) => (event: EventView) =>
    event.event === 'operation.applied' && event.verb === verb
  expect(await stream.until(isOperation('undo'))).toMatchObject({ operation, session: p.id })
  expect(await stream.until(({ event }) => event === 'files.changed')).toMatchObject({
    files: ['b.txt'],
  })
  // The command line, in its own process.
  await p.run('redo', '--all')
  expect(await other.until(isOperation('redo'))).toMatchObject({ session: p.id })
  await p.run('revert', '1')
  expect(await stream.until(isOperation('revert'))).toMatchObject({ session: p.id })
  // The agent, which starts a session. It may have written all of it when the server notices.
  const { sessionId } = await p.agent.prompt('another session')
  await stream.until((event) => event.event === 'session.created' && event.session === sessionId)
})

test('[F8][sem.A2] a read that came too early to say whose a change is gets an event when it is time', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\n' }, git: true })
  const session = await helloSeen(s)
  // A busy agent may have made the change and not recorded it yet.
  const procStart = procStartOf(process.pid)
  await mkdir(join(s.claudeDir, 'sessions'), { recursive: true })
  const entry = { sessionId: session, procStart, status: 'busy' }
  await writeFile(join(s.claudeDir, 'sessions', `${process.pid}.json`), JSON.stringify(entry))
  await using server = await servingHere(s)
  await s.write('mine.txt', 'mine\n')
  const edited = async (): Promise<string[]> => {
    const { turns } = await server.client.turns({ session })
    return turns.flatMap((turn) => turn.editedAfter).map(({ path }) => path)
  }
  let heard = server.next(({ event }) => event === 'session.updated')
  while ((await edited()).length === 0) {
    await heard
    heard = server.next(({ event }) => event === 'session.updated')
  }
  expect(await edited()).toEqual(['mine.txt'])
})

test('[F8] a client that reconnects gets the missed events, or a notice that they are no longer available', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  let last: EventView
  {
    await using stream = await server.listen()
    await server.client.back({ session: p.id })
    last = await stream.until(({ event }) => event === 'operation.applied')
  }
  await server.client.redo({ session: p.id })
  await using again = await server.listen(last.id)
  const redone = await again.until((event) => event.event === 'operation.applied')
  expect(redone).toMatchObject({ verb: 'redo' })
  await using other = await openSocket(server, `?after=${last.id}`)
  expect(await other.until(({ id }) => id === redone.id)).toEqual(redone)
  await using lost = await server.listen('another-start-7')
  expect(await lost.until(() => true)).toMatchObject({ event: 'reset' })
})

test('clients are notified of a row that any program appends to a transcript', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  await using stream = await server.listen()
  const { path } = await p.agent.transcript(p.id)
  await appendFile(
    path,
    `${JSON.stringify({ type: 'summary', summary: 'named', leafUuid: 'x' })}\n`,
  )
  await stream.until((event) => event.event === 'session.updated' && event.session === p.id)
})

test('invalid messages get an answer and change nothing', async () => {
  const p = await play()
  await using server = await answeringHere(p.s)
  await using opened = await openSocket(server)
  const { socket } = opened
  const ask = async (text: string | Buffer): Promise<unknown> => {
    socket.send(text)
    const [data] = (await once(socket, 'message')) as [Buffer]
    return JSON.parse(data.toString())
  }
  const invalid = { event: 'error', code: 'body-invalid' }
  for (const text of ['', '{', '[]', 'null', '{"event":7}', '"x"', Buffer.from([0, 1, 2])])
    expect(await ask(text)).toMatchObject(invalid)
  for (const event of ['no_such_thing', '__proto__', 'constructor', 'toString'])
    expect(await ask(JSON.stringify({ event, requestId: 7 }))).toMatchObject({
      event: 'error',
      code: 'not-found',
      requestId: 7,
    })
})
