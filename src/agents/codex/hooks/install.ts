import { readSettings, readSmallFile, type Disk } from '#disk'
import type { Capture, HookScope, HooksBlock } from '../../capture.ts'
import * as hooks from '../../hook-settings/plan-hooks.ts'
import { countOurs, type HookPlace } from '../../hook-settings/plan-hooks.ts'
import { hookEntries } from './hook-lines.ts'
import { readTrust } from './hook-trust.ts'

const NAME = 'hooks.json'

/**
 * Hooks are in `hooks.json` beside the user's configuration, or in the project's `.codex`. Codex
 * reads hooks in its TOML configuration too. Retake leaves that file alone.
 */
export function codexCapture(config: string): Capture {
  const fileOf = (project: string, scope: HookScope): string =>
    scope === 'user' ? `${config}/${NAME}` : `${project}/.codex/${NAME}`
  const has = (project: string, scope: HookScope): boolean => countOurs(fileOf(project, scope)) > 0
  const placeOf = (disk: Disk, project: string, scope: HookScope): HookPlace => ({
    scope,
    path: fileOf(project, scope),
    hookEntries,
    disables: () => isSwitchedOff(config),
    read: () =>
      scope === 'user'
        ? readSettings(disk, config, { within: null, name: NAME })
        : readSettings(disk, `${project}/.codex`, { within: project, name: NAME }),
  })
  const scopes = (project: string): HookScope[] =>
    (['user', 'project'] as const).filter((scope) => has(project, scope))
  return {
    planInstall: (disk, project, scope) => hooks.planInstall(disk, placeOf(disk, project, scope)),
    planUninstall: (disk, project, scope) =>
      hooks.planUninstall(disk, placeOf(disk, project, scope)),
    sources: scopes,
    installed(project) {
      const found = scopes(project)
      return found.length === 2 ? 'both' : (found[0] ?? 'none')
    },
    blockedBy(project) {
      if (isSwitchedOff(config)) return SWITCHED_OFF
      const blocks = scopes(project).map((scope) => blockOf(config, fileOf(project, scope)))
      // One place that runs is enough.
      return blocks.includes(null) ? null : (blocks[0] ?? null)
    },
    hasPlugin: () => false,
    // Codex refuses fields that it does not know.
    blockPrompt: (reason) => ({ decision: 'block', reason }),
    leavesAfterHook: true,
  }
}

function blockOf(config: string, file: string): HooksBlock | null {
  const trust = readTrust(config, file)
  if (trust === 'trusted') return null
  if (trust === 'switched-off')
    return {
      why: 'disabled',
      says: `You switched off a hook of ${file} in Codex.`,
      cure: 'Switch it on again: type `/hooks` in Codex.',
    }
  const says =
    trust === 'changed'
      ? `The hooks in ${file} changed since you accepted them, so Codex does not run them.`
      : `Codex does not run the hooks in ${file} yet, because you have not accepted them.`
  return { why: 'not-trusted', says, cure: 'Start `codex` and accept them when it asks.' }
}

const SWITCHED_OFF: HooksBlock = {
  why: 'disabled',
  says: 'Codex’s configuration switches all hooks off.',
  cure: 'Remove `hooks = false` below `[features]`.',
}

const MAX_CONFIG_BYTES = 16 * 1024 * 1024

function isSwitchedOff(config: string): boolean {
  const text = readSmallFile(`${config}/config.toml`, MAX_CONFIG_BYTES)?.toString('utf8') ?? ''
  const features = /^[ \t]*\[[ \t]*features[ \t]*\][^\n]*\n((?:(?![ \t]*\[)[^\n]*\n?)*)/m.exec(text)
  return /^[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(features?.[1] ?? '')
}
