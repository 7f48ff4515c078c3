import { access, readdir, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

test('[house] a test that writes below the home fails, and only that one', async () => {
  await using s = await scene({
    files: {
      'planted.test.ts': `
        import { mkdirSync, writeFileSync } from 'node:fs'
        import { homedir } from 'node:os'
        import { test } from 'vitest'
        test('well behaved', () => {})
        test('guilty', () => {
          mkdirSync(homedir() + '/.retake', { recursive: true })
          writeFileSync(homedir() + '/.retake/state', '1')
        })
        test('innocent', () => {})`,
      'vitest.config.ts': `
        export default { test: { setupFiles: [${JSON.stringify(join(repository, 'test/setup.ts'))}] } }`,
    },
  })
  await symlink(join(repository, 'node_modules'), join(s.project, 'node_modules'))

  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const { code } = await s.run(process.execPath, [
    vitest,
    'run',
    '--reporter=json',
    '--outputFile=report.json',
  ])

  const report = JSON.parse(await s.read('report.json')) as Report
  const [file] = report.testResults
  expect(code).toBe(1)
  expect(file?.assertionResults.map(({ title, status }) => `${title}: ${status}`)).toEqual([
    'well behaved: passed',
    'guilty: failed',
    'innocent: passed',
  ])
  expect(file?.assertionResults[1]?.failureMessages[0]).toContain('.retake/state')
  await expect(access(join(s.home, '.retake'))).rejects.toThrow('ENOENT')
  expect(await readdir(s.tmp)).toEqual([])
})

test('[house] no variable of an agent or of the user reaches a test', () => {
  expect(homedir()).toMatch(/retake-home-trap-/)
  expect(Object.keys(process.env).filter((name) => /^(ANTHROPIC|CLAUDE)/.test(name))).toEqual([])
})

interface Report {
  testResults: {
    assertionResults: { title: string; status: string; failureMessages: string[] }[]
  }[]
}
