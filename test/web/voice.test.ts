import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { liveService, type LiveService, type Talk } from '../voice/live-service.ts'
import { retype, sharedWindow, webBrowser } from './opened.ts'

const web = webBrowser()
const MORE = ['b', 'c', 'd', 'e', 'f']
const bar = (page: Page) => page.getByRole('region', { name: 'Voice and commands' })
const running = (page: Page) => page.getByRole('article', { name: 'The turn that is running' })
const hear = (talk: Talk, text: string): void =>
  talk.say({ serverContent: { inputTranscription: { text } } })

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: {
    first: [[edit('a.txt', 'one', 'two'), bash('ls -la')], 'It is two.'],
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

let service: LiveService
beforeAll(async () => {
  service = await liveService()
})
afterAll(() => service[Symbol.asyncDispose]())

// One server and one window, with one speech service. Each test leaves the session as it was after
// its last turn, except the last test.
const open = sharedWindow(web, async () => {
  const p = await play()
  const settings = join(p.s.home, '.config/retake/settings.json')
  await p.s.write(settings, JSON.stringify({ voice: true, voiceUrl: service.url }))
  return p
})

/** The page with its bar for voice and commands. */
async function opened({ withKey }: { withKey: boolean }) {
  const { p, server, window, page } = await open()
  const messages = async () => (await server.client.messages({ session: p.id })).messages
  const prompts = async () =>
    (await messages()).filter(({ role }) => role === 'user').map(({ text }) => text)
  /** The lines of the voice log. */
  const log = async () =>
    (await server.client.voiceLog({ session: p.id })).lines.map(({ by, text }) => `${by}: ${text}`)
  await server.client.deleteVoiceLog({ session: p.id })
  if (withKey) {
    const key = { input: 'a-key-of-somebody\n' }
    expect((await p.s.retake('settings', 'set', 'voiceKey', '-', key)).code).toBe(0)
    // Ends the previous test's conversation.
    await page.reload()
  }
  await page.getByText('It is three.').waitFor()
  await page.getByRole('button', { name: 'Voice and commands', exact: true }).click()
  return { p, window, page, messages, prompts, log }
}

/** The microphone is on, and nothing is sent before a key is held or hands-free mode is on. */
async function listening(page: Page): Promise<Talk> {
  await bar(page).getByRole('button', { name: 'Speak', exact: true }).click()
  const talk = await service.connected()
  await bar(page).getByText('Listening').waitFor()
  return talk
}

test('[G9] without a key the microphone says so, and typed commands still work', async () => {
  const at = await opened({ withKey: false })
  const { window, page } = at
  // An undo of many files is not confirmed inline: its plan is a dialog.
  await page
    .getByRole('article', { name: /: first$/ })
    .getByRole('button', { name: 'Undo to here' })
    .click()
  await page.getByRole('dialog').getByRole('list', { name: 'Files' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Command' }).focus()
  await bar(page).getByText('Speech needs a key').waitFor()
  await window.expectAccessible('voice and commands')
  await retype(page, 'go back one turn but keep the files')
  await page.keyboard.press('Enter')
  await page.getByText(/^Continues after turn 1/).waitFor()
  await bar(page).getByText('Undid 1 turn, no file changed. Say undo').waitFor()
  await retype(page, 'undo')
  await page.keyboard.press('Enter')
  await page.getByText(/^Continues after turn 2/).waitFor()
  // A command that only read is not reported as something left undone.
  await at.p.run('undo')
  await page.getByText(/^Continues after turn 1/).waitFor()
  await retype(page, 'undo the last turn')
  await page.keyboard.press('Enter')
  await bar(page).getByText('Undid 1 turn, a.txt changed. Say undo').waitFor()
  expect(await at.p.s.read('a.txt')).toBe('one\n')
  expect(await at.log()).toEqual([
    'you: go back one turn but keep the files',
    'retake: Undid 1 turn, no file changed. Say undo to undo it.',
    'you: undo',
    'retake: Undid the operation.',
    'you: undo the last turn',
    'retake: Undid 1 turn, a.txt changed. Say undo to undo it.',
  ])
  await at.p.run('redo', '--all')
})

test('[G6][G9][G10] "go back" by voice is the Back button; more than a few files need a confirmation', async () => {
  const at = await opened({ withKey: true })
  const { p, window, page, messages, prompts } = at
  // Speech is sent while a key is held, else when there is a voice.
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
  await bar(page).getByText('Backends free').click()
  await talk.heard()
  hear(talk, 'go ')
  hear(talk, 'back')
  expect(await talk.call('go_back')).toEqual({ kind: 'done', says: 'Undid 1 turn.' })
  await page.getByText(/^Continues after turn 1/).waitFor()
  const byVoice = await messages()
  // The result shows in the turns, as for the button, and opens nothing else.
  expect(await bar(page).getByText('Undid 1 turn.').count()).toBe(0)
  const field = page.getByRole('textbox', { name: 'Prompt', exact: true })
  await expect.poll(() => field.inputValue()).toBe('second')
  expect(await talk.call('redo')).toMatchObject({ kind: 'done' })
  await page.getByText(/^Continues after turn 2/).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await page.getByText(/^Continues after turn 1/).waitFor()
  expect(byVoice).toEqual(await messages())
  expect(await prompts()).toEqual(['first'])
  expect(await p.s.read('a.txt')).toBe('three\n')

  // More than a few files: the plan is shown and spoken, and a yes applies the shown plan.
  await talk.call('redo')
  await page.getByText(/^Continues after turn 2/).waitFor()
  expect(await talk.call('undo', { count: 1 })).toMatchObject({ kind: 'asks' })
  const dialog = page.getByRole('dialog', { name: 'Undo 1 turn' })
  await dialog.getByRole('list', { name: 'Files' }).waitFor()
  await talk.next(({ realtimeInput }) => realtimeInput?.audio !== undefined)
  hear(talk, 'yes')
  expect(await talk.call('answer_approval', { allow: true })).toMatchObject({ kind: 'done' })
  await dialog.waitFor({ state: 'detached' })
  expect(await p.files()).toMatchObject({ 'a.txt': 'two\n' })
  expect(await p.files()).not.toHaveProperty('b')

  // Spoken output is also shown as text, and stops when the user speaks.
  talk.speak('You are at turn one.', 60_000)
  await bar(page).getByText('Speaking').waitFor()
  talk.say({ serverContent: { interrupted: true } })
  await bar(page).getByText('Speaking').waitFor({ state: 'detached' })
  expect(await at.log()).toEqual([
    'you: go back',
    'retake: Undid 1 turn.',
    'retake: Redid 1 turn, no file changed. Say undo to undo it.',
    'retake: Redid 1 turn, no file changed. Say undo to undo it.',
    expect.stringMatching(/^retake: This .* Say yes to do it, or no\.$/),
    'you: yes',
    'retake: Undid 1 turn. Say undo to undo it.',
    'voice: You are at turn one.',
  ])
  await p.run('redo')
  await bar(page).getByText('Hold to speak').click()
})

test('[G10] when the service ends the connection the conversation continues; a used-up quota is reported', async () => {
  const at = await opened({ withKey: true })
  const { page } = at
  const talk = await listening(page)
  talk.say({ sessionResumptionUpdate: { newHandle: 'where-we-were', resumable: true } })
  talk.say({ goAway: { timeLeft: '5s' } })
  const again = await service.connected()
  expect(again.setup).toMatchObject({ sessionResumption: { handle: 'where-we-were' } })
  await bar(page).getByText('Listening').waitFor()
  hear(again, 'where am I')
  expect((await again.call('status'))['says']).toContain('is at turn 2')
  expect(await again.call('undo', { count: -1 })).toMatchObject({ kind: 'failed' })
  again.end(1011, 'You exceeded your current quota')
  await bar(page).getByText('Your quota at the speech service is used up').waitFor()
  expect(await at.log()).toEqual([
    'you: where am I',
    expect.stringMatching(/^retake: “first” is at turn 2/),
  ])
  await page.getByRole('complementary', { name: 'Voice log' }).getByText('where am I').waitFor()
})

test('[G6][G7][G10] "go back" stops an answer and an approval; the model cannot say yes for the user', async () => {
  const at = await opened({ withKey: true })
  const { p, page, prompts } = at
  await p.run('undo')
  const talk = await listening(page)
  await bar(page).getByText('Backends free').click()
  await talk.heard()
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
  // Only the user can say yes: neither the model nor the agent's text can.
  expect(await talk.call('answer_approval', { allow: true })).toEqual({
    kind: 'failed',
    says: 'The user has not spoken since. Ask the user first.',
  })
  await question.waitFor()
  expect(await talk.call('go_back')).toMatchObject({ kind: 'done' })
  await question.waitFor({ state: 'detached' })
  await running(page).waitFor({ state: 'detached' })
  expect([await prompts(), await p.s.read('a.txt')]).toEqual([['first'], 'two\n'])
  expect(await at.log()).toEqual([
    'retake: Sent to the agent: “third”.',
    'you: no, go back',
    expect.stringMatching(/^retake: /),
    'retake: Sent to the agent: “delete it”.',
    expect.stringMatching(/^retake: /),
  ])
})
