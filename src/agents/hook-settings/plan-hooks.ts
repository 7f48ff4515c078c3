import {
  invalidSettings,
  memberOf,
  outlineJson,
  readSmallFile,
  removeSettings,
  replaceSettings,
  type Disk,
  type SettingsFile,
} from '#disk'
import type { HookScope, HooksPlan } from '../capture.ts'
import { addHooks, hasHooks, marks, removeHooks } from './edit-hooks.ts'
import type { HookEntries } from './hook-entry.ts'

/** A settings file that may hold an agent's hooks. */
export interface HookPlace {
  readonly scope: HookScope
  readonly path: string
  readonly hookEntries: HookEntries
  /** Reads it to be changed; fails if it cannot be changed safely. */
  read(): SettingsFile
  /** Whether these settings disable all hooks. */
  readonly disables: (settings: Readonly<Record<string, unknown>>) => boolean
}

export function planInstall(disk: Disk, place: HookPlace): HooksPlan {
  const file = readPlace(place)
  const { hookEntries } = place
  const { text } = file
  if (text !== null && hasHooks(hookEntries, text))
    return toPlan(place, file, { change: 'none', after: text }, () => {})
  // Remove an older installation first, while its marks still show what it created.
  const old = text === null ? null : removeHooks(text)
  const made = old === null || old.found === 0 ? [] : kept(old.made)
  const start = old !== null && old.made.has('file') && old.empty ? null : (old?.text ?? null)
  const directory = file.hasDirectory ? [] : ['directory']
  const added = addHooks(hookEntries, start, [...directory, ...made])
  const change = old !== null && old.found > 0 ? 'update' : 'add'
  return toPlan(place, file, { change, after: added }, () => replaceSettings(disk, file, added))
}

export function planUninstall(disk: Disk, place: HookPlace): HooksPlan {
  const { path } = place
  // Settings without Retake's hooks need not be valid for editing.
  if (countOurs(path) === 0) {
    const file = { path, target: path, text: null, stat: null, hasDirectory: true }
    return toPlan(place, file, { change: 'none', after: null }, () => {})
  }
  const file = readPlace(place)
  const { text, made, empty } = removeHooks(file.text!)
  if (empty && made.has('file'))
    return toPlan(place, file, { change: 'remove-file', after: null }, () =>
      removeSettings(disk, file, made),
    )
  return toPlan(place, file, { change: 'remove', after: text }, () =>
    replaceSettings(disk, file, text),
  )
}

function readPlace(place: HookPlace): SettingsFile {
  const file = place.read()
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

/** How many of Retake's commands the settings contain. */
export function countOurs(settings: string): number {
  const read = readLenient(settings)
  return read === null ? 0 : marks(read.text).length
}

const MAX_SETTINGS_BYTES = 16 * 1024 * 1024

/** Settings for reading only. Unreadable settings contain no hooks that would run. */
export function readLenient(path: string): { text: string; value: Record<string, unknown> } | null {
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
  { scope, hookEntries, disables }: HookPlace,
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
    disabled: value !== undefined && disables(value),
    before: file.text,
    after,
    apply,
  }
}
