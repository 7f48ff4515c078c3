import { expect, test } from 'vitest'
import type { StatusReport } from '#timeline'
import { makePaint } from './paint.ts'
import { hooksText, statusText } from './status-text.ts'

const paint = makePaint({ colour: false, unicode: true, width: 100 })

function lines(more: Partial<StatusReport>): string[] {
  const report = {
    session: { id: 'abcdefgh', title: 'A session', project: '/p', live: null },
    head: { number: 4, prompt: 'four' },
    turns: 4,
    undone: 0,
    bare: null,
    branches: 1,
    branch: null,
    pending: null,
    coverage: 'whole-tree',
    coverageOfTurns: [{ from: 1, to: 4, coverage: 'whole-tree' }],
    hookSources: [],
    notLookedAt: null,
    unwatchedTop: null,
    unwatchedDirectories: [],
    differing: [],
    eventsLost: false,
    notCaptured: { count: 0, files: [] },
    losses: [],
    kept: { project: 0, all: 0, transcripts: 0, quota: 1, level: 'fine' },
    damage: [],
    ...more,
  } as unknown as StatusReport
  return statusText(report, paint, '/home')
    .split('\n')
    .filter((line) => /coverage|turns? \d.*:|hooks|unseen/u.test(line))
}

test('[I7] status shows the coverage of every turn', () => {
  expect(lines({})).toContain('  coverage  whole project, including what commands did')
  const mixed = lines({
    coverageOfTurns: [
      { from: 1, to: 3, coverage: 'recorded-edits' },
      { from: 4, to: 4, coverage: 'whole-tree' },
    ],
  })
  expect(mixed.slice(0, 2)).toEqual([
    "  coverage  turns 1 to 3: the agent's recorded edits; what its commands did to files is not known",
    '            turn 4: whole project, including what commands did',
  ])
})

test('[I7] status shows where the hooks come from', () => {
  expect(lines({ hookSources: ['plugin'] })).toContain('  hooks     in the plugin')
  expect(hooksText(['user', 'plugin'])).toBe('The hooks are in your settings and the plugin.')
  expect(hooksText([])).toBe('The hooks are not installed.')
})

test('[I7] status says if a repository is not recorded up to its top', () => {
  const partly = lines({ unwatchedTop: '/home/repo', coverage: 'start-directory' })
  expect(partly).toContain('  coverage  the start directory, including what commands did there')
  expect(partly).toContain('  unseen    what commands do elsewhere in ~/repo')
  expect(lines({ unwatchedDirectories: ['/home/lib'] })).toContain(
    '  unseen    what commands do in ~/lib (added with --add-dir)',
  )
})
