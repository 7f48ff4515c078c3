import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findAgents } from '#agents'
import type { Approval } from '#timeline'
import { withPreview } from '../../src/engine/run/preview-edit.ts'

const runner = findAgents({ 'claude-code': '/nowhere' })[0]!.runner!
const root = mkdtempSync(join(tmpdir(), 'retake-preview-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const project = join(root, 'project')
mkdirSync(project)
writeFileSync(join(project, 'a.txt'), 'one\ntwo\n')
writeFileSync(join(project, '.env'), 'TOKEN=canary\n')
writeFileSync(join(root, 'outside.txt'), 'canary\n')
symlinkSync('.env', join(project, 'linked.txt'))
symlinkSync(root, join(project, 'up'))

const write = (path: string): Approval =>
  withPreview(runner, project, {
    type: 'approval',
    id: 'call',
    tool: 'Write',
    kind: 'edit',
    about: path,
    input: { file_path: path, content: 'new\n' },
    title: null,
    why: null,
    canAlways: false,
  })

test('[G7][S14] an edit’s preview compares the present file with the result; secrets, links and files outside are not read', () => {
  const shown = JSON.stringify(write(join(project, 'a.txt')).hunks)
  for (const line of ['one', 'two', 'new']) expect(shown).toContain(line)
  expect(JSON.stringify(write(join(project, 'made.txt')).hunks)).toContain('new')
  for (const path of ['.env', 'linked.txt', '../outside.txt', 'up/outside.txt'])
    expect(write(join(project, path)), path).not.toHaveProperty('hunks')
})
