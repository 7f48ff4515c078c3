import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage, npm, versionDirectory } from './fetch-package.ts'

const PLATFORM = `${process.platform}-${process.arch}`
const CLAUDE_CODE = '@anthropic-ai/claude-code'

/** Older versions are one Node script, newer ones a binary per platform. */
export function fetchClaudeCode(version: string): string {
  const directory = versionDirectory('claude-code', version)
  mkdirSync(directory, { recursive: true })
  const bin = npm(directory, 'view', `${CLAUDE_CODE}@${version}`, 'bin', '--json')
  const isScript = bin.includes('cli.js')
  const name = isScript ? CLAUDE_CODE : `${CLAUDE_CODE}-${PLATFORM}`
  const main = join(fetchPackage(directory, `${name}@${version}`), isScript ? 'cli.js' : 'claude')
  chmodSync(main, 0o755)
  const binary = join(directory, 'run')
  const command = isScript ? `"${process.execPath}" "${main}"` : `"${main}"`
  writeFileSync(binary, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  return binary
}

/** 170 MB each. Its directory changed between versions. */
export function fetchCodex(version: string): string {
  const name = `@openai/codex@${version}-${PLATFORM}`
  const root = fetchPackage(versionDirectory('codex', version), name)
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((path) =>
    /vendor\/[^/]+\/(bin|codex)\/codex$/.test(path),
  )
  if (found === undefined) throw new Error(`${name} has no program.`)
  const binary = join(root, found)
  chmodSync(binary, 0o755)
  return binary
}
