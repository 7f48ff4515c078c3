import { expect, test } from 'vitest'
import { takeWriter } from '#store'
import { bash, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { storeOf } from '../operations/store-of.ts'
import { cli } from '../scene.ts'
import { serving } from '../server/serving.ts'
import { inputLine, openTui } from './opened-tui.ts'

const session = playedOnce({
  turns: { hello: 'hi', 'make c': [[write('c.txt', 'c\n')], 'made c'] },
})

test('[U7][W1] with a server running, the server does the work, and both sides see each other’s changes', async () => {
  const p = await session()
  p.model.on('make d', [[bash('echo d > d.txt')], 'made d'])
  p.model.on('from the page', [{ blocks: ['half an answer'], hang: 'after' }])
  await using server = await serving(p.s, { cli, env: p.agent.env })
  await using others = await server.listen()
  const t = openTui(p)
  await t.shows(/❯ ← \(current\)/)

  // An operation of the server, which waits five seconds for a lock, can be stopped here.
  t.press('u')
  await t.shows(/Press y to continue/)
  {
    using store = storeOf(p.s)
    await using _ = await takeWriter(store)
    t.press('y')
    await t.key('escape')
    await t.shows(/Stopped\. Everything is as it was\./)
  }

  // The server applies the plan and reports progress.
  t.press('u')
  await t.shows(/Press y to continue/)
  t.press('y')
  await t.shows(/Undid 1 turn: 1 file removed\./)
  await t.shows((screen) => inputLine(screen) === '> make c')
  await others.until(({ event }) => event === 'operation.progress')
  expect(Object.keys(await p.files())).not.toContain('c.txt')

  // A turn of the TUI waits for an approval that another client gives.
  await t.clear()
  await t.enter('make d')
  await t.shows(/Allow [^]*echo d > d\.txt[^]*y yes/)
  const asked = await others.until(({ event }) => event === 'approval.asked')
  const { approval } = asked as Extract<typeof asked, { event: 'approval.asked' }>
  await server.client.answerApproval({ approval, allow: true })
  await t.shows(/made d[^]*Enter send/)
  expect(await p.s.read('d.txt')).toBe('d\n')

  // A turn started elsewhere streams in the TUI, and Esc stops it.
  const run = server.client.converse(
    { session: p.id, prompt: 'from the page' },
    { onEvent: () => {} },
  )
  await t.shows(/> from the page\n[^]*half an answer/)
  await t.key('escape')
  await run
  await t.shows(/Stopped\./)

  // The server is gone: the TUI continues alone.
  await server.end('SIGKILL')
  await t.enter('/undo')
  await t.shows(/Press y to continue/)
  t.press('y')
  await t.shows((screen) => inputLine(screen) === '> from the page')
  await t.quit()
  expect((await p.log()).filter(({ state }) => state === 'active')).toMatchObject([
    { prompt: 'hello' },
    { prompt: 'make d' },
  ])
})
