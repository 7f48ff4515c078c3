import { expect } from 'vitest'
import type { claudeCode } from '../agent/index.ts'
import type { Scene } from '../scene.ts'

type Agent = ReturnType<typeof claudeCode>

/** Plain data, so that it can name a recording. */
export type ScreenStep =
  | { readonly submit: string }
  /** Waits until the screen matches this regular expression. */
  | { readonly see: string }
  /** Waits until it does not. */
  | { readonly miss: string }
  | { readonly key: 'up' | 'down' | 'enter' | 'escape' }
  /** Deletes this text from the prompt. */
  | { readonly clear: string }
  | { readonly write: string; readonly text: string }
  /** Another process of the agent sends this prompt meanwhile. */
  | { readonly elsewhere: string }
  /** Waits until the file has this content. */
  | { readonly file: string; readonly text: string }

/** Plays the steps in the real TUI, in one agent process. */
export async function playOnScreen(
  s: Scene,
  agent: Agent,
  { resume, steps }: { resume: string; steps: readonly ScreenStep[] },
): Promise<void> {
  const tui = await agent.interactive({ resume })
  for (const step of steps) {
    if ('submit' in step) await tui.submit(step.submit)
    else if ('see' in step) await tui.waitFor(new RegExp(step.see, 'm'))
    else if ('miss' in step) await tui.waitFor((screen) => !new RegExp(step.miss, 'm').test(screen))
    else if ('key' in step) await tui.key(step.key)
    else if ('clear' in step) await tui.clear(step.clear)
    else if ('write' in step) await s.write(step.write, step.text)
    else if ('elsewhere' in step) await agent.prompt(step.elsewhere, { resume })
    else await expect.poll(() => s.read(step.file), { timeout: 60_000 }).toBe(step.text)
  }
  await tui.exit()
}

/** Opens the agent's rewind menu at the last of these prompts, which are named from the newest. */
export const openRewindMenu = (...prompts: string[]): ScreenStep[] => [
  { submit: '/rewind' },
  { see: '❯ \\(current\\)' },
  ...prompts.flatMap((prompt): ScreenStep[] => [{ key: 'up' }, { see: `❯ ${prompt}` }]),
  { key: 'enter' },
  { see: 'Restore code and conversation' },
]
