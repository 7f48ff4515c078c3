import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { claudeCode } from '../../agent/index.ts'
import { scriptedModel } from '../../model/index.ts'
import { scene } from '../../scene.ts'
import { serving } from '../../server/serving.ts'
import { reportAttack } from '../report-attack.ts'

vi.setConfig({ testTimeout: 1_800_000 })

/** Texts that would act as flags or commands if arguments and shells were not kept apart. */
const HOSTILE = [
  '--dangerously-skip-permissions', '-p', '--resume', '--model=evil', '--mcp-config {"mcpServers":{}}', '--', '-',
  '; touch pwned', '$(touch pwned)', '`touch pwned`', '| touch pwned', '&& touch pwned', '\n touch pwned\n',
  '"; touch pwned; "', "'; touch pwned; '", '> pwned', '${IFS}touch${IFS}pwned', '@/etc/passwd', '%0atouch pwned', '$HOME',
] // prettier-ignore

/** The arguments of all agent processes of the scene. */
async function argumentsOf(home: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
    if (!environ.includes(`HOME=${home}\0`)) continue
    found.push(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
  }
  return found
}

test('[S12] prompts and ids that look like flags and commands reach the agent as text', async () => {
  await using s = await scene({ git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const { sessionId: session } = await agent.prompt('hello')
  await using server = await serving(s, { env: agent.env })
  for (const bad of HOSTILE) {
    const prompt = `${bad} ATTACK`
    model.on(prompt.trim(), [{ blocks: ['said'], hang: 'after' }])
    const run = server.client.converse({ session, prompt }, { onEvent() {} })
    await model.hanging()
    // Proves that the recorder works: the agent that just ran is in the list.
    const running = await argumentsOf(s.home)
    expect(running.some((line) => line.includes('--input-format\0stream-json'))).toBe(true)
    expect(running.filter((line) => line.includes('ATTACK'))).toEqual([])
    model.release()
    await run
    expect(model.userTexts().at(-1)).toBe(prompt.trim())
    const answer = await server.post(`/api/sessions/${encodeURIComponent(bad)}/converse`, {
      prompt,
    })
    expect(answer.status, bad).toBeGreaterThanOrEqual(400)
  }
  expect(await readdir(s.project)).not.toContain('pwned')
  expect(await readdir(join(s.home))).not.toContain('pwned')
  const attack =
    'prompts and ids that look like flags and commands, in turns that Retake runs: resulting arguments and files'
  reportAttack({ goals: 'S12', attack, tried: HOSTILE.length * 2, held: HOSTILE.length * 2 })
})
