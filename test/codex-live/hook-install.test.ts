import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durableDisk } from '#disk'
import { codexCapture } from '../../src/agents/codex/hooks/index.ts'
import { readHookStates } from '../../src/agents/codex/hooks/hook-states.ts'
import { hookEntries } from '../../src/agents/codex/hooks/hook-lines.ts'
import { scene, type Scene } from '../scene.ts'

interface World {
  readonly home: string
  readonly file: string
  readonly capture: ReturnType<typeof codexCapture>
}

async function world(s: Scene): Promise<World> {
  const home = join(s.home, '.codex')
  await mkdir(home, { recursive: true })
  return { home, file: join(home, 'hooks.json'), capture: codexCapture(home) }
}

const install = (s: Scene, { capture }: World): void =>
  capture.planInstall(durableDisk, s.project, 'user').apply()

/** What Codex writes into its configuration when the user accepts all hooks. */
function accepted(file: string, text: string): string {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: object[] }[]> }
  return Object.entries(hooks)
    .flatMap(([event, groups]) =>
      groups.flatMap(({ hooks: all }, i) =>
        all.map((hook, j) => {
          const label = event.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
          const { command, timeout } = hook as { command: string; timeout: number }
          const made = [{ async: false, command, timeout, type: 'command' }]
          const identity = JSON.stringify({ event_name: label, hooks: made })
          const hash = createHash('sha256').update(identity).digest('hex')
          return `[hooks.state."${file}:${label}:${i}:${j}"]\ntrusted_hash = "sha256:${hash}"\n`
        }),
      ),
    )
    .join('\n')
}

test('[E1][E3] installing and uninstalling leaves hooks.json as it was, and config.toml alone', async () => {
  await using s = await scene()
  const w = await world(s)
  const config = 'model = "x" # mine\n'
  await writeFile(join(w.home, 'config.toml'), config)
  for (const before of [
    null,
    '{}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine", "timeout": 9}]}]}}\n',
  ]) {
    if (before !== null) await writeFile(w.file, before)
    install(s, w)
    expect(w.capture.installed(s.project)).toBe('user')
    const { hooks } = JSON.parse(await readFile(w.file, 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>
    }
    expect(Object.keys(hooks).toSorted()).toEqual(
      hookEntries()
        .map(([event]) => event)
        .toSorted(),
    )
    // The user's hooks keep their position, which their trust depends on.
    if (before?.includes('mine') === true) expect(hooks['Stop']![0]!.hooks[0]!.command).toBe('mine')
    const { mtimeMs } = await stat(w.file)
    install(s, w)
    expect((await stat(w.file)).mtimeMs).toBe(mtimeMs)
    w.capture.planUninstall(durableDisk, s.project, 'user').apply()
    expect(await readFile(w.file, 'utf8').catch(() => null)).toBe(before)
  }
  expect(await readFile(join(w.home, 'config.toml'), 'utf8')).toBe(config)
})

test('hooks that the user has not accepted, changed or switched off do not run, and Retake says so', async () => {
  await using s = await scene()
  const w = await world(s)
  const config = join(w.home, 'config.toml')
  const why = (): string | undefined => w.capture.blockedBy(s.project)?.why
  expect(why()).toBeUndefined()
  install(s, w)
  expect(w.capture.blockedBy(s.project)).toEqual({
    why: 'not-trusted',
    says: `Codex does not run the hooks in ${w.file} yet, because you have not accepted them.`,
    cure: 'Start `codex` and accept them when it asks.',
  })
  const text = await readFile(w.file, 'utf8')
  const trust = accepted(w.file, text)
  await writeFile(config, `model = "x"\n\n${trust}`)
  expect(w.capture.blockedBy(s.project)).toBeNull()
  await writeFile(config, trust.slice(trust.indexOf('[', 1)))
  expect(why()).toBe('not-trusted')
  await writeFile(config, trust.replace('trusted_hash', 'enabled = false\ntrusted_hash'))
  expect(why()).toBe('disabled')
  await writeFile(config, `[features]\nhooks = false\n\n${trust}`)
  expect(why()).toBe('disabled')
  await writeFile(config, trust)
  await writeFile(w.file, text.replace('umask 077', 'umask 0077'))
  expect(w.capture.blockedBy(s.project)?.says).toContain('changed since you accepted them')
})

test('hooks of a project are in its `.codex`, and one accepted place is enough', async () => {
  await using s = await scene()
  const w = await world(s)
  w.capture.planInstall(durableDisk, s.project, 'project').apply()
  expect(w.capture.installed(s.project)).toBe('project')
  const file = join(s.project, '.codex', 'hooks.json')
  await writeFile(join(w.home, 'config.toml'), accepted(file, await readFile(file, 'utf8')))
  install(s, w)
  expect(w.capture.sources(s.project)).toEqual(['user', 'project'])
  expect(w.capture.blockedBy(s.project)).toBeNull()
})

test('hook states are read in the spellings that Codex and people use, and from odd files', () => {
  const text = [
    '[hooks.state."/a \\"b\\":stop:0:0"]',
    'trusted_hash = "sha256:1"',
    "[ hooks . state . '/c:stop:0:0' ]",
    'enabled=false',
    '[hooks.state]',
    '"/d:stop:0:0" = { trusted_hash = "sha256:2", enabled = true }',
    '[other]',
    'trusted_hash = "sha256:3"',
    '[hooks.state."torn',
  ].join('\r\n')
  expect(Object.fromEntries(readHookStates(text))).toEqual({
    '/a "b":stop:0:0': { trustedHash: 'sha256:1' },
    '/c:stop:0:0': { enabled: false },
    '/d:stop:0:0': { trustedHash: 'sha256:2', enabled: true },
  })
  expect(readHookStates('\0'.repeat(1000)).size).toBe(0)
})
