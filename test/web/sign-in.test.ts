import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { edit } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { webBrowser } from './opened.ts'

const web = webBrowser()
const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: { 'Make it two': [edit('a.txt', 'one', 'two'), 'It is two.'] },
})
const wall = 'Open Retake from a terminal'

test('[S2][S3][S8] one sign-in covers other tabs, survives a restart with the draft, and a sign-out ends it everywhere', async () => {
  const p = await play()
  const first = await serving(p.s)
  await using window = await web.open(first, `/s/${p.id}`)
  const { page } = window
  await page.getByText('It is two.').waitFor()
  const { turns } = await first.client.turns({ session: p.id })
  const second = await page.context().newPage()
  await second.goto(`${first.url}/s/${p.id}?turn=${turns[0]!.id}`)
  await second.getByText('It is two.').waitFor()
  expect(await page.context().cookies()).toEqual([])

  await page.getByRole('textbox', { name: 'Prompt' }).click()
  await page.keyboard.type('not finished ye')
  await first.end()
  await page.getByRole('alert').filter({ hasText: 'Lost connection to Retake' }).waitFor()
  // The next start uses the same port, so that open pages find it.
  await using again = await serving(p.s)
  expect(again.url).toBe(first.url)
  expect(again.record.token).not.toBe(first.record.token)
  for (const tab of [page, second]) {
    await tab.getByRole('status').filter({ hasText: 'Connected' }).waitFor()
    await tab.getByText('It is two.').waitFor()
  }
  await page.keyboard.type('t')
  expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('not finished yet')
  expect(page.url()).toBe(`${first.url}/s/${p.id}`)
  // What the old server issued is invalid.
  const old = await fetch(`${again.url}/api/sessions`, {
    headers: { Authorization: `Bearer ${first.record.token}` },
  })
  expect(old.status).toBe(401)

  // Nothing in the browser can be copied, and the file on disk has only public keys.
  const stored = await page.evaluate<string>(`new Promise((done) => {
    const opening = indexedDB.open('retake', 1)
    opening.onsuccess = () => {
      const asked = opening.result.transaction('keys').objectStore('keys').get('browser')
      asked.onsuccess = () =>
        crypto.subtle.exportKey('pkcs8', asked.result.keys.privateKey).then(() => 'copied', () => 'refused')
          .then(done)
    }
  })`)
  expect(stored).toBe('refused')
  const file = join(p.s.home, '.local/state/retake/browsers.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).not.toContain(again.record.token)

  // Another browser at the same address is not signed in.
  await using stranger = await web.open(again, `/s/${p.id}`, { stranger: true })
  await stranger.page.getByRole('heading', { name: wall }).waitFor()

  // Signed out in one tab: the others are signed out at once, and stay on their pages.
  await second.goto(`${again.url}/settings`)
  const browsers = second.getByRole('region', { name: 'Signed-in browsers' })
  await browsers.getByText('this browser').waitFor()
  await browsers.getByRole('button', { name: 'Sign out all' }).click()
  for (const tab of [page, second]) await tab.getByRole('heading', { name: wall }).waitFor()
  expect(page.url()).toBe(`${first.url}/s/${p.id}`)
  // A new link in one tab brings the other back, with its draft.
  const { url } = await again.client.makeLaunchCode({})
  await second.goto(url)
  await second.getByRole('heading', { name: 'Pick up where you were' }).waitFor()
  await page.getByText('It is two.').waitFor()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Prompt' }).inputValue())
    .toBe('not finished yet')
})

test('[S3] a program that took Retake’s port gets no credentials, and a browser that was signed in there signs in again', async () => {
  const p = await play()
  const first = await serving(p.s)
  const { port } = first.record
  await using window = await web.open(first, `/s/${p.id}`)
  const { page } = window
  await page.getByText('It is two.').waitFor()
  await first.end()
  await page.getByRole('alert').filter({ hasText: 'Lost connection to Retake' }).waitFor()
  const heard: string[] = []
  const thief = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`)
    request.on('data', (data: Buffer) => heard.push(data.toString()))
    const isChallenge = request.url === '/api/challenges'
    response.writeHead(isChallenge ? 200 : 401, { 'Content-Type': 'application/json' })
    const challenge = { schema: 'retake.challenge/1', challenge: 'signed-for-a-thief' }
    response.end(JSON.stringify(isChallenge ? challenge : { code: 'no-token', message: 'no' }))
  })
  await new Promise<void>((resolve) => thief.listen(port, '127.0.0.1', resolve))
  await page.getByRole('heading', { name: wall }).waitFor()
  await using again = await serving(p.s)
  expect(again.record.port).not.toBe(port)
  const signed = heard.map((text) => /\{"browser".*\}/.exec(text)?.[0]).find(Boolean)
  expect(signed).toContain('signed-for-a-thief')
  // Neither the page's old token nor its signatures open the real server.
  const tokens = heard.flatMap((text) => /Bearer ([\w-]+)/.exec(text)?.[1] ?? [])
  expect(tokens.length).toBeGreaterThan(0)
  for (const token of tokens) {
    const headers = { Authorization: `Bearer ${token}` }
    expect((await fetch(`${again.url}/api/sessions`, { headers })).status).toBe(401)
  }
  const { challenge } = await again.client.makeChallenge({})
  for (const body of [signed!, JSON.stringify({ ...JSON.parse(signed!), challenge })]) {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${again.url}/api/sign-in`, { method: 'POST', headers, body })
    expect(answer.status).toBe(401)
  }
  expect((await again.client.browsers({})).browsers).toEqual([])
  await new Promise((resolve) => thief.close(resolve))
})
