import {
  readSettings as openSettings,
  readSmallFile,
  replaceSettings,
  setMember,
  statPath,
} from '#disk'
import { command, Failure, remedy } from '#failure'
import type { Machine } from './machine.ts'
import {
  isSettingKey,
  mustBe,
  parseSettings,
  readSettingWords,
  settingKeys,
  type Settings,
  type SettingsReading,
} from './settings.ts'

const MAX_BYTES = 1024 * 1024

export interface SettingsReport extends SettingsReading {
  readonly path: string
  readonly defaults: Settings
}

/** The user's settings. Not cached: a server outlives many changes of the file. */
export function settingsOf(machine: Machine): Settings {
  const { settings, wrong, path } = readSettings(machine)
  const [first] = wrong
  if (first === undefined) return settings
  throw new Failure('settings-invalid', `\`${first.key}\` in ${path} must be ${first.must}.`, {
    hint: remedy`${command('settings set', [first.key, 'VALUE'])}, or fix the file.`,
  })
}

/**
 * The settings for scans and reads: a typo in the file must not leave a turn unrecorded, so invalid
 * values fall back to their defaults. Commands that change something report the error.
 */
export function usableSettings(machine: Machine): Settings {
  try {
    return readSettings(machine).settings
  } catch (error) {
    if (error instanceof Failure) return parseSettings(undefined).settings
    throw error
  }
}

export function readSettings(machine: Machine): SettingsReport {
  const path = pathOf(machine)
  return {
    path,
    ...parseSettings(parseFile(path)),
    defaults: parseSettings(undefined).settings,
  }
}

/** Changes one value; every other byte of the file stays. */
export function changeSetting(machine: Machine, key: string, words: readonly string[]): void {
  if (!isSettingKey(key))
    throw new Failure('usage', `There is no setting ${key}.`, {
      hint: `Settings: ${settingKeys.join(', ')}.`,
    })
  const value = readSettingWords(key, words)
  if (value === undefined) throw new Failure('usage', `\`${key}\` must be ${mustBe(key)}.`)
  const file = openSettings(machine.disk, machine.places.config, { within: null })
  const text = setMember(file.text, key, value)
  if (text !== file.text) replaceSettings(machine.disk, file, text)
}

function pathOf({ places }: Machine): string {
  return `${places.config}/settings.json`
}

function parseFile(path: string): object | undefined {
  const bytes = readSmallFile(path, MAX_BYTES)
  if (bytes === null) {
    if (statPath(path) === null) return undefined
    throw unreadable(path, 'not readable')
  }
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (cause) {
    throw unreadable(path, 'not valid JSON', cause)
  }
  throw unreadable(path, 'not an object')
}

function unreadable(path: string, why: string, cause?: unknown): Failure {
  return new Failure('settings-invalid', `Retake's settings ${path} are ${why}.`, {
    hint: 'Fix the file, or move it away.',
    cause,
  })
}
