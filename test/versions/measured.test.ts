import { expect, test } from 'vitest'
import type { PlanView } from '#protocol'
import { isMeasured, measuredVersions } from '../../src/agents/claude-code/versions.ts'
import { edit } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { pretend } from './pretend.ts'

const start = playedOnce({
  files: { a: '1\n' },
  turns: { T1: [edit('a', '1', 'one'), 'did T1'], T2: [edit('a', 'one', 'two'), 'did T2'] },
})

test('[sem.C2] what was measured is data, and nothing outside of it is taken for granted', () => {
  expect(measuredVersions.every(isMeasured)).toBe(true)
  expect(['2.1.198', '2.1.99'].map(isMeasured)).toEqual([true, true])
  expect(['2.1.326', '2.2.0', '10.0.0', '2.0.75', '1.0.999', 'dev', null].map(isMeasured)).toEqual(
    Array.from({ length: 7 }, () => false),
  )
})

test('[sem.C2] of a version that was measured the plan says nothing', async () => {
  const p = await start()
  expect((await p.read<PlanView>('undo', '--dry-run')).warnings).toEqual([])
})

test('[C9][U5] a version that would not see its conversation emptied is not told so', async () => {
  const p = await start()
  await pretend(p, '2.1.150')
  expect(await p.refused('undo', '2', '--whole')).toMatchObject({ code: 'cannot-be-emptied' })
  expect(await p.run('undo', '2')).toMatchObject({ turnsUndone: 1, conversation: 'moved' })
})
