import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'
import { planAlias } from '../../src/engine/hooks/shell-alias.ts'

test('[house] the alias goes to the end of the startup file, once, and leaves the rest and a link alone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'alias-'))
  const [file, link] = [join(directory, 'dotfiles'), join(directory, '.zshrc')]
  writeFileSync(file, 'export A=1')
  symlinkSync(file, link)
  const plan = planAlias(link)
  expect(plan).toMatchObject({ path: link, change: 'add', line: "alias claude='retake claude'" })
  expect(readFileSync(file, 'utf8')).toBe('export A=1')
  plan.apply()
  expect(readFileSync(file, 'utf8')).toBe("export A=1\nalias claude='retake claude'\n")
  expect(planAlias(link).change).toBe('none')
  expect(() => planAlias(null)).toThrow(/bash, zsh and fish/)
})

test('[house] `install --alias` shows the line before it asks, and `uninstall` names it wherever it is', async () => {
  await using s = await scene()
  const line = "alias claude='retake claude'"
  const startup = join(s.home, '.zshrc')
  const env = { ...s.env, SHELL: '/bin/zsh' }
  // Without a terminal or a yes, only the line is shown.
  const shown = await s.retake('install', '--alias', { env })
  expect(shown.stderr).toContain(`For ${startup}:\n\n    ${line}\n`)
  expect(shown.stderr).toContain('Not added.')
  expect(existsSync(startup)).toBe(false)
  await s.retake('install', '--alias', '--yes', { env })
  expect(readFileSync(startup, 'utf8')).toBe(`${line}\n`)
  // From another shell too.
  const gone = await s.retake('uninstall', '--yes', { env: { ...s.env, SHELL: '/bin/bash' } })
  expect(gone.stdout).toContain(`Not removed: the line \`${line}\` in ${startup}.`)
  expect(readFileSync(startup, 'utf8')).toBe(`${line}\n`)
  const { stdout } = await s.retake('uninstall', '--yes', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ alias: { line, paths: [startup] } })
})
