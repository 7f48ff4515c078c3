import { appendFileSync, linkSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { EventView } from '#protocol'
import { edit } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { servingHere } from './in-process.ts'

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: { first: [edit('a.txt', 'one', 'ONE'), 'ok'] },
})

/** How long the server waits before it polls for changes without events. */
const POLL = 10_000

test('[FT23][U7][F8] a change that the watch cannot see still reaches every window', async () => {
  const p = await play()
  const { path } = await p.agent.transcript(p.id)
  // Written through another name in another directory, which makes no event in the watched one.
  const unseen = join(p.s.tmp, 'unseen.jsonl')
  linkSync(path, unseen)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    await using server = await servingHere(p.s)
    const isUpdate = (event: EventView): boolean =>
      event.event === 'session.updated' && event.session === p.id
    appendFileSync(unseen, `${JSON.stringify({ type: 'custom-title', customTitle: 'Unseen', sessionId: p.id })}\n`) // prettier-ignore

    // A watched change is reported at once, which proves that the other is not.
    const other = '22222222-2222-4222-8222-222222222222'
    const seen = server.next((event) => event.event === 'session.created')
    const beside = join(p.s.claudeDir, 'projects', '-somewhere-else')
    await mkdir(beside)
    await cp(path, join(beside, `${other}.jsonl`))
    expect(await seen).toMatchObject({ session: other })
    expect(server.heard.filter(isUpdate)).toEqual([])

    const updated = server.next(isUpdate)
    vi.advanceTimersByTime(POLL)
    await updated
    const { sessions } = await server.client.sessions({})
    expect(sessions.find(({ id }) => id === p.id)).toMatchObject({ title: 'Unseen' })
  } finally {
    vi.useRealTimers()
  }
})
