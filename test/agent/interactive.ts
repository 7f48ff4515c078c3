import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scene } from '../scene.ts'
import { Terminal } from './terminal.ts'

export interface InteractiveOptions {
  readonly resume?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly rows?: number
  readonly columns?: number
  /** Ask for permissions, as the agent does by default. */
  readonly asks?: boolean
}

export type Tui = Terminal & {
  /** The session that was open at the start. */
  readonly sessionId: string
}

export async function openInteractive(
  s: Scene,
  { binary, env }: { binary: string; env: Readonly<Record<string, string>> },
  { resume, args = [], cwd = s.project, asks = false, ...options }: InteractiveOptions,
): Promise<Tui> {
  await answerFirstRunDialogs({ s, cwd, apiKey: env['ANTHROPIC_API_KEY'] ?? '' })
  const sessionId = resume ?? randomUUID()
  const session = resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]
  // An animated spinner takes more CPU than the rest of a turn.
  const settings = JSON.stringify({
    skipDangerousModePermissionPrompt: true,
    prefersReducedMotion: true,
  })
  const permissions = asks ? ['--permission-mode', 'default'] : ['--dangerously-skip-permissions']
  const terminal = new Terminal(s, {
    ...options,
    command: [binary, ...session, ...permissions, '--settings', settings, ...args],
    cwd,
    env: { ...env, ...options.env },
  })
  await terminal.waitFor(/^─{20,}.*\n❯/m)
  return Object.assign(terminal, { sessionId })
}

/** Records the answers to onboarding, theme, API key and trust, which the agent asks only once. */
export async function answerFirstRunDialogs(known: {
  s: Scene
  cwd: string
  apiKey: string
}): Promise<void> {
  const path = join(known.s.home, '.claude.json')
  const before = await readFile(path, 'utf8').catch(() => '{}')
  const config = JSON.parse(before) as { projects?: Record<string, object> }
  const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  const answered = {
    ...config,
    hasCompletedOnboarding: true,
    lastOnboardingVersion: '999.0.0',
    theme: 'dark',
    numStartups: 10,
    // The agent stores only the end of a key.
    customApiKeyResponses: { approved: [known.apiKey.slice(-20)], rejected: [] },
    projects: {
      ...config.projects,
      [known.cwd]: { ...config.projects?.[known.cwd], ...project },
    },
  }
  await writeFile(path, JSON.stringify(answered))
}
