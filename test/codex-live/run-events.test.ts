import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { RunEvent } from '#timeline'
import { openApprovals } from '../../src/agents/codex/run/run-approvals.ts'
import { readStep, unwrapped } from '../../src/agents/codex/run/run-items.ts'
import { readNotification } from '../../src/agents/codex/run/run-messages.ts'
import { applyDiff, previewPatch } from '../../src/agents/codex/run/preview-patch.ts'
import { objectOf, openRpc, type Params } from '../../src/agents/codex/run/rpc.ts'

/** What the app server of Codex 0.166.0 sent in four turns. */
const messages = readFileSync('test/fixtures/codex-live/app-server.jsonl', 'utf8')
  .split('\n')
  .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Params]))

const word = (event: RunEvent): string => {
  if (event.type === 'tool') return `${event.tool} ${event.about}`
  if (event.type === 'tool_result')
    return `${event.ok ? 'ok' : 'failed'} ${event.text.trim()}`.trim()
  return event.type === 'text' ? `says ${event.text}` : event.type
}

test('the messages of the app server become steps, results and text', () => {
  const events = messages.flatMap(({ method, params }) =>
    readNotification(String(method), objectOf(params)),
  )
  expect(events.map(word)).toEqual([
    'apply_patch /home/dev/ws/added.txt',
    'ok',
    'says done add',
    'Bash echo one > sh1.txt; echo hi',
    'ok hi',
    'Bash false',
    'failed',
    'Bash exit 3',
    'failed',
    'says done sh',
    'Bash echo up > /root/outside-sandbox.txt',
    'failed The user said no.',
    'says done esc',
    'apply_patch /home/dev/ws/a.txt',
    'ok',
    'says done upd',
  ])
})

test('an approval names the whole command or the edit, and each answer is what Codex expects', () => {
  const events: RunEvent[] = []
  const replies: Params[] = []
  const approvals = openApprovals({ tools: [], mode: null }, (event) => events.push(event))
  const steps = new Map(
    messages.flatMap(({ params }) => {
      const step = readStep(objectOf(objectOf(params)['item']))
      return step === null ? [] : [[step.id, step] as const]
    }),
  )
  const requests = messages.filter(({ method }) => String(method).endsWith('requestApproval'))
  const ask = (request: Params, to = approvals): boolean => {
    const params = objectOf(request['params'])
    const step = steps.get(String(params['itemId'])) ?? null
    const reply = (result: Params): void => void replies.push(result)
    return to.ask({ method: String(request['method']), params, step, reply })
  }
  expect(requests).toHaveLength(3)
  const [add, command, update] = requests as [Params, Params, Params]
  expect(requests.map((request) => ask(request))).toEqual([true, true, true])
  const asked = events.filter((event) => event.type === 'approval')
  expect(
    asked.map(({ kind, about, why, command: whole, pieces }) => [
      kind,
      about,
      why,
      whole ?? pieces,
    ]),
  ).toEqual([
    ['edit', '/home/dev/ws/added.txt', null, [{ old: null, new: 'x\n' }]],
    [
      'shell',
      'echo up > /root/outside-sandbox.txt',
      'need it',
      'echo up > /root/outside-sandbox.txt',
    ],
    ['edit', '/home/dev/ws/a.txt', null, [{ old: 'one', new: 'two' }]],
  ])
  expect(approvals.answer(asked[0]!.id, { allow: true })).toBe(true)
  expect(approvals.answer(asked[0]!.id, { allow: true })).toBe(false)
  expect(approvals.answer(asked[1]!.id, { allow: true, always: true })).toBe(true)
  approvals.refuseAll()
  expect(replies).toEqual([
    { decision: 'accept' },
    { decision: 'acceptForSession' },
    { decision: 'cancel' },
  ])
  // The next turn runs in another process, which does not know what was allowed.
  const later = openApprovals(approvals.allowed, (event) => events.push(event))
  const before = events.length
  ask(command, later)
  ask(add, later)
  expect(replies.at(-1)).toEqual({ decision: 'accept' })
  expect(events.length - before).toBe(1)
  later.answer(asked[0]!.id, { allow: false, reason: 'no' })
  expect(replies.at(-1)).toEqual({ decision: 'decline' })
  ask(update, later)
  later.refuseAll()
  ask(update, later)
  expect(replies.slice(-2)).toEqual([{ decision: 'cancel' }, { decision: 'cancel' }])
  expect(later.ask({ method: 'item/tool/call', params: {}, step: null, reply: () => {} })).toBe(
    false,
  )
})

test('a patch is previewed against the present file, or not at all', () => {
  const call = (kind: object, diff: string, more: object[] = []) => ({
    input: { changes: [{ path: '/p/a', kind, diff }, ...more] },
  })
  const read = (text: string | null) => () => text
  const update = { type: 'update', move_path: null }
  const diff = '@@ -2,2 +2,2 @@\n two\n-three\n+THREE\n'
  expect(previewPatch(call(update, diff), '/p', read('one\ntwo\nthree\n'))?.after).toBe(
    'one\ntwo\nTHREE\n',
  )
  expect(previewPatch(call(update, diff), '/p', read('one\ntwo\nfour\n'))).toBeNull()
  expect(previewPatch(call({ type: 'add' }, 'x\n'), '/p', read(null))).toEqual({
    before: '',
    after: 'x\n',
  })
  expect(previewPatch(call({ type: 'delete' }, ''), '/p', read('x'))?.after).toBe('')
  expect(previewPatch(call(update, diff, [{}]), '/p', read(''))).toBeNull()
  expect(previewPatch(call(update, diff), '/p', () => undefined)).toBeNull()
  expect(applyDiff('a\nb\nc\n', '@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@\n-c\n+C\n')).toBe('A\nb\nC\n')
})

test('a command is shown without the shell around it', () => {
  expect(unwrapped('/bin/bash -lc \'echo "a" b\'')).toBe('echo "a" b')
  expect(unwrapped('/bin/zsh -lc "echo \'a\' \\$x"')).toBe("echo 'a' $x")
  expect(unwrapped('/bin/bash -lc ls')).toBe('ls')
  expect(unwrapped("/bin/bash -lc 'a' 'b'")).toBe("/bin/bash -lc 'a' 'b'")
  expect(unwrapped('git status')).toBe('git status')
})

test('messages arrive in pieces, out of order and damaged; the end rejects what waits', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const heard: string[] = []
  const rpc = openRpc(
    { input, output },
    {
      notified: (method) => void heard.push(method),
      asked: (id, method) => void heard.push(`${id} ${method}`),
    },
  )
  const [one, two, three] = ['a', 'b', 'c'].map((method) => rpc.request(method, {}))
  output.write('{"id":2,"result":{"x":1}}\nno json\n{"method":"n"')
  output.write(',"params":{}}\n[1]\n{"id":"q","method":"ask","params":null}\n{"id":9,"result":1}\n')
  expect(await two).toEqual({ x: 1 })
  output.write('{"id":1,"error":{"code":-1,"message":"no such thread"}}\n')
  await expect(one).rejects.toThrow('no such thread')
  output.destroy()
  await rpc.closed
  await expect(three).rejects.toThrow('Codex ended')
  await expect(rpc.request('d', {})).rejects.toThrow('Codex has ended')
  expect(heard).toEqual(['n', 'q ask'])
})
