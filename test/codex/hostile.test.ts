import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { agentIn, openIn, promptsOf } from './open-recorded.ts'
import { recordedFacts, recordedHome } from './recorded-home.ts'

const { scenarios } = recordedFacts('0.166.0')

/** The current rollout of a session, and its first row. */
function rolloutOf(home: string, session: string): { path: string; meta: string; rest: string } {
  const { path } = agentIn(home).sessions.find(session)!
  const text = readFileSync(path, 'utf8')
  const end = text.indexOf('\n') + 1
  return { path, meta: text.slice(0, end), rest: text.slice(end) }
}

test('[port] a rollout that continues itself, or a missing one, is read as far as it goes', () => {
  using recorded = recordedHome('0.166.0')
  const session = scenarios['forked']!
  const { path, meta, rest } = rolloutOf(recorded.home, session)
  const row = JSON.parse(meta) as { payload: { history_base: { thread_id: string } } }
  const parent = row.payload.history_base.thread_id
  for (const thread of [session, '01a1f07d-0000-7000-8000-000000000000', 'no id', parent]) {
    row.payload.history_base.thread_id = thread
    writeFileSync(path, `${JSON.stringify(row)}\n${rest}`)
    const open = openIn(recorded.home, session)
    expect(promptsOf(open)).toEqual(thread === parent ? ['one', 'again'] : ['again'])
    if (thread !== parent && thread !== 'no id')
      expect(open.conversation.turns[0]!.turn.parentMissing).toBe(true)
  }
  // Two rollouts that continue each other.
  const other = rolloutOf(recorded.home, parent)
  const cycle = JSON.parse(other.meta) as { payload: Record<string, unknown> }
  cycle.payload['history_base'] = {
    thread_id: session,
    end_ordinal_exclusive: 9,
    end_byte_offset: 9,
  }
  writeFileSync(other.path, `${JSON.stringify(cycle)}\n${other.rest}`)
  expect(promptsOf(openIn(recorded.home, session)).at(-1)).toBe('again')
  expect(promptsOf(openIn(recorded.home, parent)).at(-1)).toBe('two')
})

test('[port] torn, foreign and binary rows are damage with a place, and nothing else is lost', () => {
  using recorded = recordedHome('0.166.0')
  const session = scenarios['plain']!
  const { path } = rolloutOf(recorded.home, session)
  const { length } = readFileSync(path)
  for (const [bytes, why] of [
    ['{"timestamp":"2026-11-18T21:08:38.000Z","ordinal":99,"type":"event_msg","pay\n', 'not-json'],
    [Buffer.from([0, 0, 0, 10]), 'nul-bytes'],
    ['[1,2]\n', 'not-json'],
    ['{"timestamp":"2026-11-18T21:08:38.000Z","type":"response_item","payload":{"type"', 'torn'],
  ] as const) {
    appendFileSync(path, bytes)
    const open = openIn(recorded.home, session)
    expect(promptsOf(open)).toEqual(['one', 'two', 'three'])
    expect(open.damage).toMatchObject([{ offset: length, why }])
    truncateSync(path, length)
  }
})

test('[port] a session whose rollouts are gone, or whose index is no database, is no failure', () => {
  using recorded = recordedHome('0.166.0')
  const session = scenarios['reverted']!
  writeFileSync(`${recorded.home}/state_5.sqlite`, 'no database at all')
  // Without the index, the newest rollout is the current one.
  expect(promptsOf(openIn(recorded.home, session))).toEqual(['one', 'again'])
  rmSync(rolloutOf(recorded.home, session).path)
  expect(promptsOf(openIn(recorded.home, session))).toEqual(['one', 'two', 'three'])
  rmSync(rolloutOf(recorded.home, session).path)
  expect(agentIn(recorded.home).sessions.find(session)).toBeNull()
})

test('[port] what was appended to a rollout is read without reading the rest again', () => {
  using recorded = recordedHome('0.166.0')
  const agent = agentIn(recorded.home)
  const session = scenarios['plain']!
  const index = agent.sessions.openIndex(null)
  const before = index.open(agent.sessions.find(session)!)
  const { path, rest } = rolloutOf(recorded.home, session)
  const rows = rest.split('\n').filter((row) => row.includes('"ordinal"'))
  const from = rows.findLastIndex((row) => row.includes('"task_started"'))
  const again = rows.slice(from).map((row) => row.replaceAll(before.conversation.head!, NEXT))
  appendFileSync(path, `${again.join('\n')}\n`)
  const after = index.open(agent.sessions.find(session)!)
  expect(promptsOf(after)).toEqual(['one', 'two', 'three', 'three'])
  expect(after.conversation.head).toBe(NEXT)
  // What was read of the first turns is the same object.
  const [first] = before.conversation.turns.map(({ turn }) => turn.id)
  expect(after.versionOf(first!).key).toBe(before.versionOf(first!).key)
  expect(promptsOf(before)).toEqual(['one', 'two', 'three'])
})

const NEXT = '01a1f07d-ffff-7000-8000-000000000000'
