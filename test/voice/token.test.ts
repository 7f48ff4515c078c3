import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SettingsView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { scene } from '../scene.ts'
import { expectProblem, serving } from '../server/serving.ts'
import { liveService } from './live-service.ts'

const KEY = 'AIza-a-key-that-nobody-may-see'

test('[G10] only the service gets the key; the page gets a token for one conversation', async () => {
  await using s = await scene()
  await using service = await liveService()
  await using server = await serving(s)
  const policy = async () => (await fetch(server.url)).headers.get('Content-Security-Policy')
  const voice = () => server.get('/api/voice')

  expect(await policy()).toContain("connect-src 'self';")
  expect(await voice()).toMatchObject({ body: { on: false, key: 'none' } })
  expectProblem(await server.post('/api/voice/token'), { status: 409, code: 'voice-off' })

  await s.write(
    join(s.home, '.config/retake/settings.json'),
    JSON.stringify({ voice: true, voiceUrl: service.url, voiceModel: 'listener-1' }),
  )
  expect(await policy()).toContain(`connect-src 'self' ${service.url.replace('http', 'ws')};`)
  expect(await voice()).toMatchObject({ body: { on: true, origin: service.url } })
  expectProblem(await server.post('/api/voice/token'), { status: 409, code: 'voice-no-key' })

  // Never as a command-line argument, which everyone can read.
  expect((await s.retake('settings', 'set', 'voiceKey', KEY)).code).toBe(2)
  const set = await s.retake('settings', 'set', 'voiceKey', '-', '--json', { input: `${KEY}\n` })
  expect(parseView<SettingsView>(set.stdout)).toMatchObject({ voiceKey: 'file' })
  const file = join(s.home, '.local/share/retake/voice-key')
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const { body } = await server.post('/api/voice/token')
  expect(body).toMatchObject({
    token: 'auth_tokens/token-1',
    model: 'listener-1',
    origin: service.url,
  })
  expect(service.requests).toMatchObject([
    {
      key: KEY,
      body: {
        uses: 1,
        bidiGenerateContentSetup: { model: 'models/listener-1' },
        fieldMask: expect.stringContaining('model,') as string,
      },
    },
  ])
  service.status = 403
  const refused = await server.post('/api/voice/token')
  expectProblem(refused, { status: 502, code: 'voice-refused' })
  service.status = 429
  expectProblem(await server.post('/api/voice/token'), { status: 503, code: 'voice-quota' })
  await service[Symbol.asyncDispose]()
  const gone = await server.post('/api/voice/token')
  expectProblem(gone, { status: 502, code: 'voice-unreachable' })

  const shown = await s.retake('settings')
  const log = await readFile(join(s.home, '.local/state/retake/server.log'), 'utf8')
  const said =
    JSON.stringify([body, refused, gone, await voice(), set, shown]) + log + server.talk()
  expect(log).toContain('voice-refused')
  expect(said).not.toContain(KEY)
  expect((await s.retake('settings', 'set', 'voiceKey', 'none')).code).toBe(0)
  expect(await voice()).toMatchObject({ body: { key: 'none' } })
})
