import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { routes, streams } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { edit } from '../model/index.ts'
import { expectOnly, footprint } from '../operations/footprint.ts'
import { playedOnce } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { reportAttack } from './report-attack.ts'

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: { first: 'hi', second: [edit('a.txt', 'one', 'ONE'), 'ok'] },
})

const HOSTILE = [
  '..', '../..', '../../etc/passwd', '/etc/passwd', '..\\..\\x', '%2e%2e%2f', '%252e%252e', '\\\\host\\x',
  'C:\\x', 'a\u0000b', '\u0000', '.git/config', '.', '', ' ', '~', '$(id)', '`id`', '; id', '--help', '-1',
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'NaN', '1e9', '0x1', '-0', '01',
  '\u202e', '\ud800', 'é'.repeat(300), 'x'.repeat(5000), '<script>alert(1)</script>', "' or 1=1 --", '*', '%',
  '00000000-0000-4000-8000-000000000000', '0'.repeat(32), `${'0'.repeat(32)}.1`, '999999999999999999999',
] // prettier-ignore

const anything = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    -1,
    1.5,
    1e300,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    { length: 3 },
    true,
    null,
  ),
)
const keys = fc.oneof(
  fc.constantFrom(
    'count', 'turn', 'at', 'files', 'branch', 'only', 'name', 'choices', 'code', 'path', 'content', 'command',
    'expecthead', '__proto__', 'constructor', 'toJSON', 'all', 'session', 'confirmed', 'whole',
  ), // prettier-ignore
  fc.string({ maxLength: 12 }),
)
/** Always has a key that no route accepts, so that no request is valid. */
const body = fc
  .array(fc.tuple(keys, anything), { maxLength: 5 })
  .map(
    (pairs) =>
      `{${[...pairs, ['verb;', 0]].map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v) ?? 0}`).join(',')}}`,
  )
/** Never empty: an empty body is valid where a route takes nothing. */
const notJson = fc.constantFrom(
  '{',
  '[]',
  'null',
  '"x"',
  '7',
  '{"a":1}{',
  '\ufeff[]',
  '{"a":'.repeat(20_000),
  '['.repeat(100_000),
)

const PARALLEL = 8

interface Request {
  readonly route: readonly [string, string]
  readonly id: string
  readonly other: string
  readonly query: readonly [string, string] | null
  readonly text: string
}

test('[S6][W20] any id, query or body is refused, never causes an internal error, and changes nothing', async () => {
  const p = await play()
  await using server = await serving(p.s)
  const { url, record } = server
  const headers = { Authorization: `Bearer ${record.token}`, 'Content-Type': 'application/json' }
  const before = await footprint(p.s)
  const all = Object.values({ ...routes, ...streams }).filter(([, path]) => path !== '/api/launch')
  const requests = fc.record<Request>({
    route: fc.constantFrom(...all),
    id: fc.constantFrom(p.id, ...HOSTILE),
    other: fc.constantFrom('1', ...HOSTILE),
    query: fc.option(fc.tuple(keys, fc.constantFrom(...HOSTILE))),
    text: fc.oneof({ weight: 4, arbitrary: body }, { weight: 1, arbitrary: notJson }),
  })
  const statuses = new Map<number, number>()
  const ask = async ({ route: [method, path], id, other, query, text }: Request) => {
    let places = 0
    const filled = path.replaceAll(/:\w+/g, () => encode(places++ === 0 ? id : other))
    const asked = query === null ? '' : `?${encode(query[0])}=${encode(query[1])}`
    const answer = await fetch(`${url}${filled}${asked}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: text }),
    })
    const said = await answer.text()
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    expect(
      answer.status,
      `${method} ${filled}${asked} ${text.slice(0, 200)}\n${said}`,
    ).toBeLessThan(500)
    // 200 for routes that only read; 429 if changes come too quickly.
    if (method !== 'GET' && filled !== '/api/launch-codes') expect(answer.status).not.toBe(200)
    if (answer.headers.get('Content-Type')!.includes('json') && filled !== '/openapi.json')
      parseView(said)
  }
  const some = fc.array(requests, { minLength: PARALLEL, maxLength: PARALLEL })
  await fc.assert(
    fc.asyncProperty(some, async (each) => void (await Promise.all(each.map(ask)))),
    { numRuns: (Number(process.env['RUNS'] ?? 1) * 800) / PARALLEL },
  )
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
  expect([...statuses.keys()].toSorted((a, b) => a - b)[0]).toBe(200)
  expect((await p.status()).undone).toBe(0)
  const log = await p.s.read(`${p.s.env['XDG_STATE_HOME']}/retake/server.log`)
  expect(log).not.toContain('internal-error')
  const tried = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  const attack = 'requests of the owner with hostile ids, queries and bodies: no 5xx, no change'
  reportAttack({ goals: 'S6', attack, tried, held: tried })
})

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
