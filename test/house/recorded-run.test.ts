import { appendFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { edit } from '../model/index.ts'
import { played } from '../operations/played.ts'
import { recallOrRun } from '../operations/recorded-run.ts'
import { isRecording, playsAgain } from '../operations/recordings.ts'
import { PROBE } from '../agent/claude-code.ts'

test('[house] a recorded run does what the agent did; after any other row in the transcript the agent runs', async () => {
  await using p = await played({
    files: { a: '1\n' },
    turns: { T1: [edit('a', '1', 'one'), 'ok'] },
  })
  await p.say('T2', [edit('a', 'one', 'two'), 'did T2'])
  expect(await p.s.read('a')).toBe('two\n')
  expect(p.model.userTexts()).toEqual(['T1', 'T2'])
  expect(await p.line()).toEqual(['T1', 'T2'])
  const { rows, path } = await p.agent.transcript(p.id)
  const ids = rows.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : []))
  expect(new Set(ids).size).toBe(ids.length)
  for (const { parentUuid } of rows)
    if (typeof parentUuid === 'string') expect(ids).toContain(parentUuid)

  const resume = () =>
    recallOrRun<unknown>({
      s: p.s,
      model: p.model,
      session: p.id,
      asked: { probe: PROBE },
      leavesNothing: true,
      run: () => Promise.resolve('ran'),
    })
  expect(await p.sent()).toEqual(['T1', 'T2'])
  // No recording matches, so the agent plays.
  if (isRecording() || playsAgain()) return
  expect(await resume()).toMatchObject({ exitCode: 0 })
  await appendFile(path, '{"type":"system","content":"another row"}\n')
  expect(await resume()).toBe('ran')
})
