import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { runPlanted } from './planted.ts'

test('[house] a test that writes to the home directory fails, and only that one', async () => {
  await using run = await runPlanted(`
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { homedir } from 'node:os'
    import { test } from 'vitest'
    test('well behaved', () => {})
    test('guilty', () => {
      mkdirSync(homedir() + '/.planted', { recursive: true })
      writeFileSync(homedir() + '/.planted/state', '1')
    })
    test('innocent', () => {})`)

  expect(run.code).toBe(1)
  expect(run.outcomes).toEqual(['well behaved: passed', 'guilty: failed', 'innocent: passed'])
  expect(run.failures).toEqual([expect.stringContaining('.planted/state')])
  expect(await readdir(run.s.home)).not.toContain('.planted')
  expect(await readdir(run.s.tmp)).toEqual([])
})

test('[house] no variable of an agent or of the user reaches a test', () => {
  expect(homedir()).toMatch(/retake-home-trap-/)
  expect(Object.keys(process.env).filter((name) => /^(ANTHROPIC|CLAUDE)/.test(name))).toEqual([])
})
