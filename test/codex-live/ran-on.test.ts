import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OpenSession } from '#agents'
import { stepsOf } from '#timeline'
import { codex } from '../../src/agents/codex/adapter/index.ts'
import { stepsRunningOn } from '../../src/engine/witness/steps-running-on.ts'
import { scene } from '../scene.ts'

const ID = '01a1f079-57b7-7481-b2fd-b073f4043be6'

function openIn(home: string): OpenSession {
  const directory = join(home, '.codex', 'sessions', '2026', '11', '18')
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `rollout-2026-11-18T21-04-06-${ID}.jsonl`)
  copyFileSync('test/fixtures/codex-live/ran-on.jsonl', path)
  const { sessions } = codex(join(home, '.codex'))
  return sessions.openIndex(null).open(sessions.find(ID)!)
}

test('a command that ran on makes changes unsure until Codex noted its end', async () => {
  await using s = await scene()
  const session = openIn(s.home)
  const turn = session.conversation.head!
  const [long, short] = stepsOf(session.readTurn(turn).moments)
  expect(long).toMatchObject({
    startedAt: '2026-11-18T21:04:06.975Z',
    endedAt: '2026-11-18T21:04:07.480Z',
    ranOn: { until: '2026-11-18T21:04:07.584Z' },
  })
  expect(short!.ranOn).toBeUndefined()
  const now = Date.parse('2026-11-18T22:00:00Z')
  const running = (since: number, open: OpenSession, alive: boolean): number[] =>
    stepsRunningOn([open], since, { now, isAlive: () => alive }).map(({ ended }) => ended)
  const ended = Date.parse('2026-11-18T21:04:09.584Z')
  expect(running(0, session, false)).toEqual([ended])
  expect(running(ended + 1, session, false)).toEqual([])
  // Without a noted end it may run as long as its process does.
  const endless: OpenSession = {
    ...session,
    readTurn(id) {
      const turn = session.readTurn(id)
      const moments = turn.moments.map((moment) =>
        moment.kind === 'step' && moment.step.id === long!.id
          ? { ...moment, step: { ...moment.step, ranOn: { until: null } } }
          : moment,
      )
      return { ...turn, moments }
    },
  }
  expect(running(0, endless, true)).toEqual([now + 2000])
  expect(running(0, endless, false)).toEqual([Date.parse(long!.endedAt!) + 2000])
})
