import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ReceiptView, RescueView, SettingsView } from '#protocol'
import { hookEntries } from '../../src/agents/claude-code/hooks/install-line.ts'
import { settingKeys } from '../../src/engine/ground/settings.ts'
import { parseView } from '../cli/schemas.ts'
import { changedSettings, SESSION } from '../fixtures/upgrade/upgrade-facts.ts'
import { scene } from '../scene.ts'
import { openOldMachine } from './old-machine.ts'

const fixtures = new URL('../fixtures/upgrade/', import.meta.url)
const versions = readdirSync(fixtures).filter((name) => /^\d/.test(name))

test.each(versions)('[FT24] the settings of %s hold', async (version) => {
  await using s = await scene()
  const old = openOldMachine(s, version)
  const { settings, said, unknown } = parseView<SettingsView>(
    (await old.retake('settings', '--json')).stdout,
  )
  expect(settings).toEqual(JSON.parse(readFileSync(old.settings, 'utf8')))
  expect(unknown).toEqual([])
  // Versions up to this one have changed every setting.
  if (version === versions.at(-1)) expect([...said].toSorted()).toEqual([...settingKeys].toSorted())
  expect(changedSettings.map(([key]) => key)).toEqual(expect.arrayContaining([...said]))
})

test.each(versions)('[FT24] every event in the spool of %s is read', async (version) => {
  await using s = await scene()
  const old = openOldMachine(s, version)
  const text = gunzipSync(readFileSync(new URL(`${version}/spool.json.gz`, fixtures))).toString()
  for (const [event] of hookEntries())
    expect(text).toContain(`\\"hook_event_name\\":\\"${event}\\"`)
  expect(text).toMatch(/\.start"[\s\S]*\.end"|\.end"[\s\S]*\.start"/)
  expect(await old.retake('observe', SESSION, 'all')).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(old.spool)).toEqual([])
  using store = new DatabaseSync(old.store)
  const steps = store.prepare('select tool from shell_step order by tool').all()
  expect(steps.map(({ tool }) => tool)).toEqual(['toolu_done', 'toolu_done asked', 'toolu_failed'])
})

test.each(versions)(
  '[FT24] the store of %s: redo, undo and the list of operations',
  async (version) => {
    await using s = await scene()
    const old = openOldMachine(s, version)
    const run = async (...args: string[]): Promise<ReceiptView> => {
      const { code, stdout, stderr } = await old.retake(...args, '--json')
      expect(code, stdout + stderr).toBe(0)
      return parseView<ReceiptView>(stdout)
    }
    const auth = () => readFileSync(join(old.project, 'src/auth.ts'), 'utf8')
    expect(auth()).not.toContain('unknown user')
    await run('redo', '2')
    expect(auth()).toContain('unknown user')
    await run('undo', '2')
    expect(auth()).not.toContain('unknown user')
    const { stdout } = await old.retake('op', 'log')
    expect(stdout.match(/^.*\b(undo|redo|checkpoint)\b.*$/gim)!.length).toBeGreaterThanOrEqual(6)
    expect(await old.retake('check', '--read-data')).toMatchObject({ code: 0 })
  },
)

test.each(versions)('[FT24][FT15] a session is rescued from the vault of %s', async (version) => {
  await using s = await scene()
  const old = openOldMachine(s, version)
  rmSync(old.transcript)
  const { code, stdout } = await old.retake('rescue', SESSION, '--json')
  expect(code, stdout).toBe(0)
  const { newSession } = parseView<RescueView>(stdout)
  // The copy has the paths of the machine on which it was made.
  const kept = JSON.parse(
    gunzipSync(readFileSync(new URL(`${version}/claude.json.gz`, fixtures))).toString(),
  ) as Record<string, string>
  const [, before] = Object.entries(kept).find(([path]) => path.endsWith(`${SESSION}.jsonl`))!
  expect(readFileSync(join(dirname(old.transcript), `${newSession}.jsonl`), 'utf8')).toBe(before)
})
