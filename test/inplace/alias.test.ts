import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
