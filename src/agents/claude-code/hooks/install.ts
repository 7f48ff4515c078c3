import {
  invalidSettings,
  memberOf,
  outlineJson,
  readSettings,
  readSmallFile,
  removeSettings,
  replaceSettings,
  type Disk,
  type SettingsFile,
} from '#disk'
import type { HookScope, HooksPlan, HookSource } from '../../capture.ts'
import { addHooks, hasHooks, marks, removeHooks } from './install-edit.ts'
import { hookEntries } from './install-line.ts'

/** Where hooks are installed: the user's configuration directory, or the project's own. */
export interface HookPlaces {
  readonly config: string
  readonly project: string
}

export function planInstall(disk: Disk, places: HookPlaces, scope: HookScope): HooksPlan {
  const file = readPlace(disk, places, scope)
  const { text } = file
  if (text !== null && hasHooks(text))
    return toPlan(scope, file, { change: 'none', after: text }, () => {})
  // Remove an older installation first, while its marks still show what it created.
  const old = text === null ? null : removeHooks(text)
  const made = old === null || old.found === 0 ? [] : kept(old.made)
  const start = old !== null && old.made.has('file') && old.empty ? null : (old?.text ?? null)
  const directory = file.hasDirectory ? [] : ['directory']
  const added = addHooks(start, [...directory, ...made])
  const change = old !== null && old.found > 0 ? 'update' : 'add'
  return toPlan(scope, file, { change, after: added }, () => replaceSettings(disk, file, added))
}

export function planUninstall(disk: Disk, places: HookPlaces, scope: HookScope): HooksPlan {
  const settings = settingsOf(places, scope)
  // Settings without Retake's hooks need not be valid for editing.
  if (countOurs(settings) === 0) {
    const file = { path: settings, target: settings, text: null, stat: null, hasDirectory: true }
    return toPlan(scope, file, { change: 'none', after: null }, () => {})
  }
  const file = readPlace(disk, places, scope)
  const { text, made, empty } = removeHooks(file.text!)
  if (empty && made.has('file'))
    return toPlan(scope, file, { change: 'remove-file', after: null }, () =>
      removeSettings(disk, file, made),
    )
  return toPlan(scope, file, { change: 'remove', after: text }, () =>
    replaceSettings(disk, file, text),
  )
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

/** Whether any settings of the project disable all hooks. */
export function hooksDisabled(config: string, project: string): boolean {
  const names = ['settings.json', 'settings.local.json'].map((name) => `${project}/.claude/${name}`)
  return [`${config}/settings.json`, ...names].some(
    (path) => readLenient(path)?.value['disableAllHooks'] === true,
  )
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

function readPlace(disk: Disk, { config, project }: HookPlaces, scope: HookScope): SettingsFile {
  const file =
    scope === 'user'
      ? readSettings(disk, config, { within: null })
      : readSettings(disk, `${project}/.claude`, { within: project })
  if (file.text !== null) checkHooks(file.path, file.text)
  return file
}

function checkHooks(path: string, text: string): void {
  const hooks = memberOf(outlineJson(text), 'hooks')
  if (hooks !== undefined && hooks.kind !== 'object')
    throw invalidSettings(path, 'its `hooks` are not an object')
  const odd = hooks?.parts.find(({ value }) => value.kind !== 'array')
  if (odd !== undefined) throw invalidSettings(path, `its hooks for ${odd.key} are not a list`)
}

function countOurs(settings: string): number {
  const read = readLenient(settings)
  return read === null ? 0 : marks(read.text).length
}

const MAX_SETTINGS_BYTES = 16 * 1024 * 1024

/** Settings for reading only. Unreadable settings contain no hooks that would run. */
function readLenient(path: string): { text: string; value: Record<string, unknown> } | null {
  const text = readSmallFile(path, MAX_SETTINGS_BYTES)?.toString('utf8')
  if (text === undefined) return null
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null) return null
    return { text, value: value as Record<string, unknown> }
  } catch {
    return null
  }
}

/** Marks that a reinstallation must carry over, because the text does not show them. */
function kept(made: ReadonlySet<string>): string[] {
  return made.has('directory') ? ['directory'] : []
}

function toPlan(
  scope: HookScope,
  file: SettingsFile,
  { change, after }: Pick<HooksPlan, 'change' | 'after'>,
  apply: () => void,
): HooksPlan {
  const value = readLenient(file.target)?.value
  return {
    scope,
    settings: file.path,
    linkedTo: file.target === file.path ? null : file.target,
    change,
    creates: change === 'add' && file.text === null,
    events: hookEntries().map(([event]) => event),
    disabled: value?.['disableAllHooks'] === true,
    before: file.text,
    after,
    apply,
  }
}
