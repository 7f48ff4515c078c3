/**
 * Claude Code under `retake claude`, in a pseudo terminal, with the plugin's commands.
 *
 * ```ts
 * const tui = await supervised(s, agent)
 * await tui.submit('/retake:undo')
 * ```
 */
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { answerFirstRunDialogs } from '../agent/interactive.ts'
import type { ClaudeCode } from '../agent/claude-code.ts'
import { cli, type Scene } from '../scene.ts'

const plugin = fileURLToPath(new URL('../../plugins/retake', import.meta.url))

/** Puts a `claude` on the scene's PATH. */
export async function envWithClaude(
  s: Scene,
  { binary, env }: Pick<ClaudeCode, 'binary' | 'env'>,
): Promise<Record<string, string>> {
  const bin = join(s.tmp, 'bin')
  await mkdir(bin, { recursive: true })
  await symlink(binary, join(bin, 'claude')).catch(() => {})
  return { ...env, PATH: `${bin}:${env['PATH']}` }
}

export async function supervised(
  s: Scene,
  agent: ClaudeCode,
  args: readonly string[] = [],
): Promise<Terminal> {
  await answerFirstRunDialogs({ s, cwd: s.project, apiKey: agent.env['ANTHROPIC_API_KEY'] ?? '' })
  const { code, stderr } = await s.retake('install')
  expect(code, stderr).toBe(0)
  const settings = JSON.stringify({
    skipDangerousModePermissionPrompt: true,
    prefersReducedMotion: true,
  })
  const options = ['--dangerously-skip-permissions', '--settings', settings, '--plugin-dir', plugin]
  const terminal = new Terminal(s, {
    command: [process.execPath, cli, 'claude', ...options, ...args],
    cwd: s.project,
    env: await envWithClaude(s, agent),
  })
  await terminal.waitFor(/^─{20,}.*\n❯/m)
  return terminal
}

/** The text in the input box. */
export function boxOf(screen: string): string {
  const parts = screen.split(/^─{20,}.*$/m)
  return (parts.at(-2) ?? '').replace(/^\s*❯ ?/, '').trim()
}
