import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bash, edit, write } from '../model/index.ts'
import { played } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { liveService, type Talk } from '../voice/live-service.ts'
import { retype, webBrowser } from './opened.ts'

/** Somebody who says "go back", again and again. */
const speech = fileURLToPath(new URL('../fixtures/voice/go-back.wav', import.meta.url))
const web = webBrowser([
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${speech}`,
])
const MORE = ['b', 'c', 'd', 'e', 'f']
const bar = (page: Page) => page.getByRole('region', { name: 'Voice and commands' })
const running = (page: Page) => page.getByRole('article', { name: 'The turn that is running' })
const hear = (talk: Talk, text: string): void =>
  talk.say({ serverContent: { inputTranscription: { text } } })

test('[G6][G7][G9][G10] "go back" by voice is the Back button, also mid-stream and during an approval; no line is lost', async () => {
  await using p = await played({
    files: { 'a.txt': 'one\n' },
    turns: {
      first: [edit('a.txt', 'one', 'two'), 'It is two.'],
      second: [
        [edit('a.txt', 'two', 'three'), ...MORE.map((path) => write(path, 'new\n'))],
        'It is three.',
      ],
    },
    also: {
      third: [{ blocks: ['A long answer '], hang: 'after' }],
      'delete it': [[bash('rm a.txt')], 'Gone.'],
    },
  })
  await using service = await liveService()
  await using server = await serving(p.s, { env: p.agent.env })
  await p.s.write(
    join(p.s.home, '.config/retake/settings.json'),
    JSON.stringify({ voice: true, voiceUrl: service.url }),
  )
  const messages = async () => (await server.client.messages({ session: p.id })).messages
  const prompts = async () =>
    (await messages()).filter(({ role }) => role === 'user').map(({ text }) => text)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  const open = async (): Promise<void> => {
    await page.getByText('It is three.').waitFor()
    await page.getByRole('button', { name: 'Voice and commands', exact: true }).click()
  }

  // Without a key the microphone says so, and typed commands work all the same.
  await open()
  await bar(page).getByText('Speech needs a key').waitFor()
  await window.expectAccessible('voice and commands')
  await retype(page, 'go back one turn but keep the files')
  await page.keyboard.press('Enter')
  await page.getByText(/^Continues after turn 1/).waitFor()
  await bar(page).getByText('1 turn undone, no file changed. Say undo').waitFor()
  await retype(page, 'undo')
  await page.keyboard.press('Enter')
  await page.getByText(/^Continues after turn 2/).waitFor()
  const key = { input: 'a-key-of-somebody\n' }
  expect((await p.s.retake('settings', 'set', 'voiceKey', '-', key)).code).toBe(0)
  await page.reload()
  await open()

  // Somebody speaks, and is heard: while a key is held, else when there is a voice.
  await bar(page).getByRole('button', { name: 'Speak', exact: true }).click()
  const talk = await service.connected()
  expect(talk.address).toContain('access_token=auth_tokens/token-1')
  await bar(page).getByText('Listening').waitFor()
  await window.expectAccessible('speaking')
  expect(talk.said).toHaveLength(1)
  const sent = talk.next(({ realtimeInput }) => realtimeInput?.audio !== undefined)
  const over = talk.next(({ realtimeInput }) => realtimeInput?.audioStreamEnd === true)
  await bar(page).getByRole('button', { name: 'Hold to speak' }).hover()
  await page.mouse.down()
  expect(await sent).toMatchObject({
    realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000' } },
  })
  await page.mouse.up()
  await over
  await bar(page).getByText('Hands free').click()
  await talk.heard()
  hear(talk, 'go ')
  hear(talk, 'back')
  expect(await talk.call('go_back')).toEqual({ kind: 'done', says: '1 turn undone.' })
  await page.getByText(/^Continues after turn 1/).waitFor()
  const byVoice = await messages()
  // What it did is seen in the turns, as for the button, and opens nothing of its own.
  expect(await bar(page).getByText('1 turn undone.').count()).toBe(0)
  expect(await talk.call('redo')).toMatchObject({ kind: 'done' })
  await page.getByText(/^Continues after turn 2/).waitFor()
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await page.getByText(/^Continues after turn 1/).waitFor()
  expect(byVoice).toEqual(await messages())
  expect(await prompts()).toEqual(['first'])
  expect(await p.s.read('a.txt')).toBe('three\n')

  // More than a few files: the plan is shown and told, and a yes carries out what is shown.
  await talk.call('redo')
  await page.getByText(/^Continues after turn 2/).waitFor()
  expect(await talk.call('undo', { turns: 1 })).toMatchObject({ kind: 'asks' })
  const dialog = page.getByRole('dialog', { name: 'Undo 1 turn' })
  await dialog.getByRole('list', { name: 'Files' }).waitFor()
  await talk.next(({ realtimeInput }) => realtimeInput?.audio !== undefined)
  hear(talk, 'yes')
  expect(await talk.call('answer_approval', { allow: true })).toMatchObject({ kind: 'done' })
  await dialog.waitFor({ state: 'detached' })
  expect(await p.files()).toMatchObject({ 'a.txt': 'two\n' })
  expect(await p.files()).not.toHaveProperty('b')

  // What is said aloud is text too, and falls silent when somebody speaks into it.
  talk.speak('You are at turn one.', 60_000)
  await bar(page).getByText('Speaking').waitFor()
  talk.say({ serverContent: { interrupted: true } })
  await bar(page).getByText('Speaking').waitFor({ state: 'detached' })

  // While the agent answers, and while it waits for a permission.
  expect(await talk.call('converse', { prompt: 'third' })).toMatchObject({ kind: 'done' })
  await running(page).getByText('A long answer').waitFor()
  hear(talk, 'no, go back')
  expect(await talk.call('go_back')).toMatchObject({ kind: 'done' })
  await running(page).waitFor({ state: 'detached' })
  await page.getByText(/^Continues after turn 1/).waitFor()
  expect(await prompts()).toEqual(['first'])
  const mute = bar(page).getByRole('button', { name: 'Mute the microphone' })
  await mute.click()
  await bar(page).getByText('Muted').waitFor()
  const asked = talk.next(
    ({ realtimeInput }) => realtimeInput?.text?.startsWith('The agent asks') === true,
  )
  await talk.call('converse', { prompt: 'delete it' })
  const question = page.getByRole('alertdialog')
  await question.getByText('rm a.txt').waitFor()
  await asked
  // A yes is the user's: the model cannot say it, nor can what the agent wrote.
  expect(await talk.call('answer_approval', { allow: true })).toEqual({
    kind: 'failed',
    says: 'Nobody has spoken since. Ask the user first.',
  })
  await question.waitFor()
  expect(await talk.call('go_back')).toMatchObject({ kind: 'done' })
  await question.waitFor({ state: 'detached' })
  await running(page).waitFor({ state: 'detached' })
  expect([await prompts(), await p.s.read('a.txt')]).toEqual([['first'], 'two\n'])

  await mute.click()

  // The service sends us away: the conversation goes on over another connection.
  talk.say({ sessionResumptionUpdate: { newHandle: 'where-we-were', resumable: true } })
  talk.say({ goAway: { timeLeft: '5s' } })
  const again = await service.connected()
  expect(again.setup).toMatchObject({ sessionResumption: { handle: 'where-we-were' } })
  await bar(page).getByText('Listening').waitFor()
  hear(again, 'where am I')
  expect((await again.call('status'))['says']).toContain('stands at turn 1')
  expect(await again.call('undo', { turns: -1 })).toMatchObject({ kind: 'failed' })
  again.end(1011, 'You exceeded your current quota')
  await bar(page).getByText('your quota is used up').waitFor()

  const { lines } = await server.client.voiceLog({ session: p.id })
  expect(lines.map(({ by, text }) => `${by}: ${text}`)).toEqual([
    'you: go back one turn but keep the files',
    'retake: 1 turn undone, no file changed. Say undo to take it back.',
    'you: undo',
    'retake: Taken back.',
    'you: go back',
    'retake: 1 turn undone.',
    'retake: 1 turn redone, no file changed. Say undo to take it back.',
    'retake: 1 turn redone, no file changed. Say undo to take it back.',
    expect.stringMatching(/^retake: This .* Say yes to do it, or no\.$/),
    'you: yes',
    'retake: 1 turn undone. Say undo to take it back.',
    'voice: You are at turn one.',
    'retake: Sent to the agent: “third”.',
    'you: no, go back',
    expect.stringMatching(/^retake: /),
    'retake: Sent to the agent: “delete it”.',
    expect.stringMatching(/^retake: /),
    'you: where am I',
    expect.stringMatching(/^retake: “first” stands at turn 1/),
  ])
  await page.getByRole('complementary', { name: 'Voice log' }).getByText('where am I').waitFor()
})
