import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'
import { serving, type Serving } from '../server/serving.ts'
import { reportAttack } from './report-attack.ts'

/** A browser without a window: it signs as the page does. */
function browser() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')
  const signed = (origin: string, challenge: string, id: string): string =>
    sign('sha256', Buffer.from(['retake sign-in', origin, challenge, id].join('\n')), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url')
  return { key, signed }
}

/** A sign-out closes the browser's connections, and a request may just be using one of before. */
const ALONE = { Connection: 'close' }

async function post(server: Serving, path: string, body: object): Promise<Response> {
  const headers = { ...ALONE, 'Content-Type': 'application/json' }
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function challengeOf(server: Serving): Promise<string> {
  const answer = await post(server, '/api/challenges', {})
  return ((await answer.json()) as { challenge: string }).challenge
}

async function codeOf(server: Serving): Promise<string> {
  return new URL((await server.client.makeLaunchCode({})).url).hash.slice('#code='.length)
}

test('[S2][S3] only a signed challenge, used once at this address by a browser that opened a link, gives a token', async () => {
  await using s = await scene()
  await using server = await serving(s)
  const own = browser()
  const launched = await post(server, '/api/launch', {
    code: await codeOf(server),
    key: own.key,
    name: 'Test',
  })
  const { token, browser: id } = (await launched.json()) as { token: string; browser: string }
  expect(token).not.toBe(server.record.token)
  const lets = async (shown: string): Promise<boolean> =>
    (
      await fetch(`${server.url}/api/sessions`, {
        headers: { ...ALONE, Authorization: `Bearer ${shown}` },
      })
    ).status === 200
  expect(await lets(token)).toBe(true)

  const signIn = async (to: {
    challenge: string
    signature: string
    browser?: string
  }): Promise<Response> => post(server, '/api/sign-in', { browser: id, ...to })
  const good = await challengeOf(server)
  const signature = own.signed(server.url, good, id)
  const answer = await signIn({ challenge: good, signature })
  expect(answer.status).toBe(200)
  const { token: second } = (await answer.json()) as { token: string }
  expect(await lets(second)).toBe(true)

  const other = browser()
  const fresh = async (): Promise<string> => challengeOf(server)
  const { port } = server.record
  const tries: { challenge: string; signature: string; browser?: string }[] = [
    // Already used.
    { challenge: good, signature },
    // Another challenge, one that the server did not make, and none.
    { challenge: await fresh(), signature },
    { challenge: 'made-up', signature: own.signed(server.url, 'made-up', id) },
  ]
  // Other addresses, as a page elsewhere would have to sign.
  for (const origin of [
    `http://127.0.0.1:${port + 1}`,
    'http://localhost:5173',
    'null',
    '',
    `https://127.0.0.1:${port}`,
  ]) {
    const challenge = await fresh()
    tries.push({ challenge, signature: own.signed(origin, challenge, id) })
  }
  {
    const challenge = await fresh()
    tries.push({ challenge, signature: other.signed(server.url, challenge, id) })
  }
  for (const name of ['x'.repeat(16), '__proto__'.padEnd(16, '_'), 'constructor'.padEnd(16, 'r')]) {
    const challenge = await fresh()
    tries.push({ challenge, signature: own.signed(server.url, challenge, name), browser: name })
  }
  for (const wrong of ['', 'A', 'A'.repeat(86), '..', token]) {
    tries.push({ challenge: await fresh(), signature: wrong })
  }
  for (const each of tries) expect([400, 401, 409]).toContain((await signIn(each)).status)

  // Invalid keys are not stored, and a failed attempt uses the code up.
  for (const key of ['A'.repeat(120), own.key.slice(0, -4), '']) {
    const refused = await post(server, '/api/launch', { code: await codeOf(server), key })
    expect(refused.status).toBeGreaterThanOrEqual(400)
  }
  expect((await server.client.browsers({})).browsers.map((each) => each.id)).toEqual([id])

  // After the sign-out neither its tokens nor its key work; the record's owner stays signed in.
  expect((await s.retake('serve', '--sign-out')).code).toBe(0)
  expect([await lets(token), await lets(second)]).toEqual([false, false])
  const late = await challengeOf(server)
  expect(
    (await signIn({ challenge: late, signature: own.signed(server.url, late, id) })).status,
  ).toBe(401)
  expect(await lets(server.record.token)).toBe(true)
  const tried = tries.length + 6
  reportAttack({
    goals: 'S2, S3',
    attack:
      'sign-ins with used, foreign, invented and wrongly signed challenges, broken keys, and after a sign-out',
    tried,
    held: tried,
  })
})
