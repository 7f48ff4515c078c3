import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ErrorView, SettingsView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { scene } from '../scene.ts'

test('[house] settings are shown and changed, and every other byte of the file stays', async () => {
  await using s = await scene()
  const path = join(s.home, '.config/retake/settings.json')
  const show = async (...args: string[]) =>
    parseView<SettingsView>((await s.retake('settings', ...args, '--json')).stdout)

  expect(await show()).toMatchObject({ path, said: [], settings: { retention: 90 } })
  expect(await show('set', 'retention', '30')).toMatchObject({ settings: { retention: 30 } })
  expect(await s.read(path)).toBe('{\n  "retention": 30\n}\n')

  const own = '\uFEFF{\r\n\t"mine" : 1.0,\r\n\t"quota":   68719476736 , "include": [ ] }'
  await s.write(path, own)
  expect(await show('set', 'quota', '1GB')).toMatchObject({
    settings: { quota: 2 ** 30 },
    said: ['quota', 'include'],
    unknown: ['mine'],
  })
  expect(await s.read(path)).toBe(own.replace('68719476736', '1073741824'))
  const { stdout } = await s.retake('settings')
  expect(stdout).toContain('`mine` is unknown to this version of Retake. It stays in the file.')
})

test('[house] a wrong value or key is refused with the allowed ones, and nothing is written', async () => {
  await using s = await scene()
  const path = join(s.home, '.config/retake/settings.json')
  const refused = async (...args: string[]) => {
    const { code, stdout } = await s.retake('settings', ...args, '--json')
    return { exit: code, ...parseView<ErrorView>(stdout) }
  }
  expect(await refused('set', 'quota', 'much')).toMatchObject({
    exit: 2,
    code: 'usage',
    message: '`quota` must be a number of bytes, at least 16 MB.',
  })
  expect(await refused('set', 'colour', 'red')).toMatchObject({ exit: 2, code: 'usage' })
  await s.write(path, '{"quota": }')
  expect(await refused()).toMatchObject({ exit: 1, code: 'settings-invalid' })
  expect(await refused('set', 'quota', '1GB')).toMatchObject({ exit: 1, code: 'settings-invalid' })
  expect(await s.read(path)).toBe('{"quota": }')
  // The command itself can fix a wrong value.
  await s.write(path, '{"quota": "much"}')
  expect((await s.retake('settings', 'set', 'quota', '1GB')).code).toBe(0)
  expect(await s.read(path)).toBe('{"quota": 1073741824}')
})
