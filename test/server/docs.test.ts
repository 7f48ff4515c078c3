import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseView } from '../cli/schemas.ts'
import { edit, write } from '../model/index.ts'
import { played } from '../operations/played.ts'
import { serving } from './serving.ts'

const documented = new URL('../../docs/api.md', import.meta.url)

test('[U7] the examples of docs/api.md do what they say, one after the other', async () => {
  await using p = await played({
    files: { 'a.txt': 'one\n' },
    turns: {
      first: [edit('a.txt', 'one', 'ONE'), 'ok'],
      second: [write('b.txt', 'b\n'), 'ok'],
      third: [edit('a.txt', 'ONE', 'three'), 'ok'],
    },
  })
  await using server = await serving(p.s)
  const text = await readFile(documented, 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!)
  // Each call of the API on a line of its own, with its status in front.
  const script = blocks
    .join('')
    .replace('curl -s ', `curl -s -w '\\n%{http_code}\\n' `)
    .replaceAll(/\$\(retake_api (.*?) \| node/g, '$(retake_api $1 | head -n 1 | node')
    .replaceAll(/^retake_api /gm, 'echo; retake_api ')
  const { code, stdout, stderr } = await p.s.run('sh', ['-eu', '-c', script])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const calls = stdout.trim().split(/\n\n+/)
  expect(calls.length).toBe([...script.matchAll(/^echo; retake_api /gm)].length)
  for (const call of calls) {
    const [body, status] = call.trim().split('\n')
    expect(status, body).toBe('200')
    parseView(body!)
  }
  expect(calls.length).toBeGreaterThanOrEqual(20)
  expect((await server.get(`/api/sessions/${p.id}/checkpoints`)).body).toMatchObject({
    checkpoints: [{ name: 'works', prompt: 'second' }],
  })
  // The last example undid the undo before it: everything is as the agent left it.
  expect(await p.s.read('a.txt')).toBe('three\n')
  expect((await p.status()).undone).toBe(0)
})
