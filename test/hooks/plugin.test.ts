import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { hookEntries } from '../../src/agents/claude-code/hooks/install-line.ts'
import { claudeCode } from '../agent/index.ts'
import { bash, scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'
import { hookWorld } from './hook-world.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const plugin = `${repository}plugins/retake`

const readJson = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>

test('[house] the plugin has the hooks of `retake install`, and the version of the package', async () => {
  const { hooks } = await readJson(`${plugin}/hooks/hooks.json`)
  expect(hooks).toEqual(Object.fromEntries(hookEntries().map(([event, entry]) => [event, [entry]])))
  expect(await readJson(`${plugin}/.claude-plugin/plugin.json`)).toMatchObject({
    name: 'retake',
    version: packageJson.version,
  })
})

test('[A1] Claude Code accepts the plugin, installs it from the repository offline, and runs its hooks', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const world = hookWorld(s)
  const claude = (...args: string[]): Promise<{ code: number; stdout: string }> =>
    s.run(agent.binary, args, { env: agent.env })

  for (const args of [[repository], [plugin], [plugin, '--profile', 'directory']]) {
    const { code, stdout } = await claude('plugin', 'validate', ...args)
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(stdout).toContain('Validation passed')
  }
  expect(await claude('plugin', 'marketplace', 'add', repository)).toMatchObject({ code: 0 })
  expect(await claude('plugin', 'install', 'retake@retake')).toMatchObject({ code: 0 })

  model.on('T1', [bash('true'), 'done'])
  await agent.prompt('T1')
  const expected = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse Bash',
    'shell start',
    'shell end',
    'PostToolUse Bash',
    'SessionEnd',
  ]
  // The last hook may outlive the agent.
  await expect.poll(() => world.story()).toEqual(expected)

  // If Retake is set up, the tools are there too.
  const { stdout: servers } = await claude('mcp', 'list')
  expect(servers).toMatch(/plugin:retake:retake:.*(Failed|✗|✘)/)
  // `retake install` sees the plugin and adds no second set of hooks.
  const { stdout } = await s.retake('install')
  expect(stdout).toContain('The Retake plugin is enabled in Claude Code. It includes the hooks.')
  expect((await claude('mcp', 'list')).stdout).toMatch(/plugin:retake:retake:.*Connected/)
  expect(model.outside).toEqual([])
})
