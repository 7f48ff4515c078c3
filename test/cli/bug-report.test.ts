import { expect, test } from 'vitest'
import type { BugReportView } from '#protocol'
import { write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { parseView } from './schemas.ts'

const play = playedOnce({
  files: { 'private-name.txt': 'private content\n' },
  turns: { 'private prompt': [write('private-made.txt', 'private words\n'), 'private answer'] },
})

test('a bug report has versions, settings and counts, and nothing of the user’s', async () => {
  const p = await play()
  await p.run('undo', '--whole')
  await p.s.retake('settings', 'set', 'retention', '7')
  const { stdout } = await p.s.retake('doctor', '--report', '--json')
  const report = parseView<BugReportView>(stdout)
  expect(report.settings).toMatchObject({ retention: 7 })
  expect(report.shapes).toMatchObject({
    projects: 1,
    sessions: { all: 1, here: 1, open: 0 },
    operations: { 'undo committed': 1 },
  })
  expect(report.shapes.changes).toBeGreaterThan(0)
  const { stdout: text } = await p.s.retake('doctor', '--report')
  expect(text).toContain('operations  undo committed 1')
  for (const said of [stdout, text]) {
    expect(said).not.toContain('private')
    expect(said).not.toContain(p.s.home)
    expect(said).not.toContain(p.s.project)
    expect(said).not.toContain(p.id)
  }
})

test('the version is also printed as JSON', async () => {
  const p = await play()
  const run = (words: readonly string[]) => p.s.run(process.execPath, [cli, ...words])
  for (const words of [
    ['--version', '--json'],
    ['--json', '--version'],
  ]) {
    const { version } = parseView<{ version: string }>((await run(words)).stdout)
    expect(`${version}\n`).toBe((await run(['--version'])).stdout)
  }
})
