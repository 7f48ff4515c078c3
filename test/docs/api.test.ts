import { expect } from 'vitest'
import { parseView } from '../cli/schemas.ts'
import { cli } from '../scene.ts'
import { serving } from '../server/serving.ts'
import { blocksOf, commandsOf } from './document.ts'
import { openShop, runAll } from './run-document.ts'
import { isSameText } from './same-text.ts'
import { needs } from '../needs.ts'

needs('curl')('[U7][W21] the examples of docs/api.md work, one after the other', async () => {
  await using shop = await openShop()
  await using server = await serving(shop.s, { cli })
  const blocks = blocksOf('docs/api.md')
  // First, because the last calls archive and delete the session.
  const programs = blocks.filter(({ kind }) => kind === 'ts' || kind === 'console')
  const ran = await runAll(shop, programs.flatMap(commandsOf))
  for (const { text, says, said, code: ended } of ran) {
    expect(ended, `${text}\n${said}`).toBe(0)
    if (says !== null && !isSameText(says, said)) expect(said, text).toBe(says)
  }

  // Prints each response on a line of its own, followed by its status.
  const calls = blocks
    .filter(({ kind }) => kind === 'sh')
    .map(({ text }) => text)
    .join('')
    .replace('curl -s ', `curl -s -w '\\n%{http_code}\\n' `)
    .replaceAll(/\$\(retake_api (.*?) \| node/g, '$(retake_api $1 | head -n 1 | node')
    .replaceAll(/^retake_api /gm, 'echo; retake_api ')
  const { project: cwd, env } = shop
  const { code, stdout, stderr } = await shop.s.run('sh', ['-eu', '-c', calls], { cwd, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const answers = stdout.trim().split(/\n\n+/)
  expect(answers.length).toBe([...calls.matchAll(/^echo; retake_api /gm)].length)
  expect(answers.length).toBeGreaterThanOrEqual(20)
  for (const answer of answers) {
    const [body, status] = answer.trim().split('\n')
    expect(status, body).toBe('200')
    parseView(body!)
  }
  const { body } = await server.get(`/api/sessions/${shop.session}/checkpoints`)
  expect(body).toMatchObject({ checkpoints: [{ name: 'works' }] })
})
