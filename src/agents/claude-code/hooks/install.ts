import { readSettings, type Disk } from '#disk'
import type { HookScope, HooksBlock, HooksPlan, HookSource } from '../../capture.ts'
import * as hooks from '../../hook-settings/plan-hooks.ts'
import { countOurs, readLenient, type HookPlace } from '../../hook-settings/plan-hooks.ts'
import { hookEntries } from './install-line.ts'

/** Where hooks are installed: the user's configuration directory, or the project's own. */
export interface HookPlaces {
  readonly config: string
  readonly project: string
}

export function planInstall(disk: Disk, places: HookPlaces, scope: HookScope): HooksPlan {
  return hooks.planInstall(disk, placeOf(disk, places, scope))
}

export function planUninstall(disk: Disk, places: HookPlaces, scope: HookScope): HooksPlan {
  return hooks.planUninstall(disk, placeOf(disk, places, scope))
}

export function hookSources(config: string, project: string): HookSource[] {
  const files = settingsFiles(config, project)
  const found: HookSource[] = files.flatMap(([source, path]) =>
    countOurs(path) > 0 ? [source] : [],
  )
  return files.some(([, path]) => enablesPlugin(path)) ? [...found, 'plugin'] : found
}

/** Which settings contain Retake's hooks, or enable the plugin that brings them. */
export function hooksInstalled(
  config: string,
  project: string,
): 'user' | 'project' | 'both' | 'none' {
  const bring = settingsFiles(config, project).filter(
    ([, path]) => countOurs(path) > 0 || enablesPlugin(path),
  )
  const user = bring.some(([source]) => source === 'user')
  const own = bring.some(([source]) => source !== 'user')
  if (user) return own ? 'both' : 'user'
  return own ? 'project' : 'none'
}

function settingsFiles(config: string, project: string): ['user' | 'project' | 'local', string][] {
  return [
    ['user', `${config}/settings.json`],
    ['project', `${project}/.claude/settings.json`],
    ['local', `${project}/.claude/settings.local.json`],
  ]
}

/** Any settings of the project can disable all hooks. */
export function hooksBlock(config: string, project: string): HooksBlock | null {
  const found = settingsFiles(config, project).find(([, path]) =>
    disables(readLenient(path)?.value ?? {}),
  )
  if (found === undefined) return null
  const says = `${found[1]} has \`disableAllHooks\`: no hook runs.`
  return { why: 'disabled', says, cure: 'Remove that line.' }
}

function disables(settings: Readonly<Record<string, unknown>>): boolean {
  return settings['disableAllHooks'] === true
}

/** Whether the plugin is enabled here: its hooks belong to the plugin and are not edited. */
export function hasPlugin(places: HookPlaces, scope: HookScope): boolean {
  return enablesPlugin(settingsOf(places, scope))
}

function enablesPlugin(settings: string): boolean {
  const plugins = readLenient(settings)?.value['enabledPlugins']
  if (typeof plugins !== 'object' || plugins === null) return false
  return Object.entries(plugins).some(([name, on]) => name.startsWith('retake@') && on === true)
}

function settingsOf({ config, project }: HookPlaces, scope: HookScope): string {
  return scope === 'user' ? `${config}/settings.json` : `${project}/.claude/settings.json`
}

function placeOf(disk: Disk, places: HookPlaces, scope: HookScope): HookPlace {
  const { config, project } = places
  return {
    scope,
    path: settingsOf(places, scope),
    hookEntries,
    disables,
    read: () =>
      scope === 'user'
        ? readSettings(disk, config, { within: null })
        : readSettings(disk, `${project}/.claude`, { within: project }),
  }
}

export function blockPrompt(reason: string): object {
  return {
    decision: 'block',
    reason,
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: true },
  }
}
