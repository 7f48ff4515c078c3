/** The user's settings. Unknown keys in `$XDG_CONFIG_HOME/retake/settings.json` are kept. */
export interface Settings {
  /** Bytes that everything Retake stores may take. */
  readonly quota: number
  /** Days for which an operation can be undone. */
  readonly retention: number
  /** Patterns, as in an ignore file, of ignored files to record anyway. */
  readonly include: readonly string[]
  /** The most branches that Retake makes in a session, and the number from which it warns. */
  readonly branchLimit: number
  readonly branchWarning: number
  /** Days after which an untouched branch is archived; null means never. */
  readonly autoArchiveDays: number | null
  /** Whether a prompt that is only "undo" is a command to Retake. */
  readonly plainUndo: boolean
  /** Ask before files change, if a user is at the terminal. */
  readonly confirm: boolean
  /** Directories outside projects in which the agent's recorded edits are undone too. */
  readonly directories: readonly string[]
  /** Directories that the user wants left alone. */
  readonly declinedDirectories: readonly string[]
  /** Bytes. The contents of larger files are not recorded. */
  readonly maxFileSize: number
  /** Speech in the page. If off, the page connects only to Retake. */
  readonly voice: boolean
  /** The address of the speech service, and its model. */
  readonly voiceUrl: string
  readonly voiceModel: string
}

export type SettingKey = keyof Settings

interface Setting<T> {
  readonly default: T
  /** The value, or undefined if it is invalid. */
  read(value: unknown): T | undefined
  /** Describes a valid value, for a message with "must be". */
  readonly must: string
}

const MEGA = 1024 * 1024

const known: { readonly [K in SettingKey]: Setting<Settings[K]> } = {
  quota: {
    default: 5120 * MEGA,
    read: (value) => whole(value, 16 * MEGA),
    must: 'a number of bytes, at least 16 MB',
  },
  retention: {
    default: 90,
    read: (value) => whole(value, 1),
    must: 'a whole number of days, at least 1',
  },
  include: {
    default: [],
    read: (value) => patterns(value),
    must: 'a list of patterns; none may be empty or start with "!"',
  },
  branchLimit: {
    default: 20,
    read: (value) => whole(value, 1),
    must: 'a whole number, at least 1',
  },
  branchWarning: {
    default: 15,
    read: (value) => whole(value, 1),
    must: 'a whole number, at least 1',
  },
  autoArchiveDays: {
    default: null,
    read: (value) => (value === null ? null : whole(value, 1)),
    must: 'a whole number of days, at least 1, or null',
  },
  plainUndo: {
    default: false,
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    must: 'true or false',
  },
  confirm: {
    default: true,
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    must: 'true or false',
  },
  directories: {
    default: [],
    read: (value) => absolutePaths(value),
    must: 'a list of absolute paths, or `none`',
  },
  declinedDirectories: {
    default: [],
    read: (value) => absolutePaths(value),
    must: 'a list of absolute paths, or `none`',
  },
  maxFileSize: {
    default: 50 * MEGA,
    read: (value) => {
      const size = whole(value, 1)
      return size !== undefined && size <= 1024 * MEGA ? size : undefined
    },
    must: 'a number of bytes, at most 1 GB',
  },
  voice: {
    default: false,
    read: (value) => (typeof value === 'boolean' ? value : undefined),
    must: 'true or false',
  },
  voiceUrl: {
    default: 'https://generativelanguage.googleapis.com',
    read: serviceOrigin,
    must: 'an address such as https://example.com, without a path; http only on this machine',
  },
  voiceModel: {
    default: 'gemini-3.1-flash-live-preview',
    read: (value) =>
      typeof value === 'string' && /^[\w.-]{1,100}$/.test(value) ? value : undefined,
    must: 'the name of a model',
  },
}

export const settingKeys = Object.keys(known) as readonly SettingKey[]

export interface SettingsReading {
  /** Invalid values are replaced by their defaults. */
  readonly settings: Settings
  readonly said: readonly SettingKey[]
  readonly unknown: readonly string[]
  readonly wrong: readonly { readonly key: SettingKey; readonly must: string }[]
}

/** Parses the content of the settings file; undefined if there is no file. */
export function parseSettings(value: object | undefined): SettingsReading {
  const said = new Map(Object.entries(value ?? {}))
  const wrong: { key: SettingKey; must: string }[] = []
  const settings: Record<string, unknown> = {}
  for (const key of settingKeys) {
    const setting = known[key]
    const given = said.has(key) ? setting.read(said.get(key)) : setting.default
    if (given === undefined) wrong.push({ key, must: setting.must })
    settings[key] = given === undefined ? setting.default : given
  }
  return {
    settings: settings as unknown as Settings,
    said: settingKeys.filter((key) => said.has(key)),
    unknown: [...said.keys()].filter((key) => !isSettingKey(key)),
    wrong,
  }
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(known, key)
}

/** Parses a value from the command line; undefined if it is invalid for this key. */
export function readSettingWords(key: SettingKey, words: readonly string[]): unknown {
  if (key === 'include') return known.include.read(words)
  if (key === 'directories' || key === 'declinedDirectories')
    return known[key].read(words.length === 1 && words[0] === 'none' ? [] : words)
  if (words.length !== 1) return undefined
  const value = wordValue(words[0]!)
  const sized = key === 'quota' || key === 'maxFileSize'
  return known[key].read(sized && typeof value === 'string' ? bytes(value) : value)
}

export function mustBe(key: SettingKey): string {
  return known[key].must
}

function wordValue(word: string): unknown {
  if (/^\d{1,15}$/.test(word)) return Number(word)
  const named: Record<string, unknown> = { true: true, on: true, false: false, off: false }
  if (word === 'null' || word === 'never') return null
  return Object.hasOwn(named, word) ? named[word] : word
}

/** Parses `500 MB` or `2GB`, in powers of 1024. */
function bytes(text: string): number | undefined {
  const read = /^(\d{1,9}(?:\.\d{1,3})?) ?([KMGT])B$/i.exec(text)
  if (read === null) return undefined
  return Math.round(Number(read[1]) * 1024 ** ('KMGT'.indexOf(read[2]!.toUpperCase()) + 1))
}

/**
 * Accepts only an origin: it goes into the page's content security policy, where a star or a
 * semicolon would admit other hosts. Plain http is allowed only on this machine, so that speech
 * never leaves it unencrypted.
 */
function serviceOrigin(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || url.href !== `${url.origin}/`) return undefined
  if (!/^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])$/.test(url.hostname)) return undefined
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere) ? url.origin : undefined
}

function whole(value: unknown, least: number): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= least ? (value as number) : undefined
}

function absolutePaths(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const isPath = (each: unknown): each is string =>
    typeof each === 'string' && /^\/./.test(each) && !each.includes('\0')
  return value.every(isPath) ? value : undefined
}

function patterns(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const isPattern = (each: unknown): each is string =>
    typeof each === 'string' && each.trim() !== '' && !/^[!#]|[\n\r\0]/.test(each)
  return value.every(isPattern) ? value : undefined
}
