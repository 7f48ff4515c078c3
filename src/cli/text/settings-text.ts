import type { SettingKey, SettingsReport } from '#engine'
import { bytesText } from './bytes.ts'
import { pad, type Paint } from './paint.ts'
import { textWidth } from './text-width.ts'

const MEANING: Record<SettingKey, string> = {
  quota: 'everything that Retake keeps',
  retention: 'how long an operation can be undone',
  include: 'ignored files that are looked at all the same',
  branchLimit: 'branches of a session that Retake makes at most',
  branchWarning: 'warn from this many branches of a session on',
  autoArchiveDays: 'untouched branches are archived after that time',
  plainUndo: 'a prompt that is only "undo" is a command to Retake',
  confirm: 'ask before files change, at a terminal',
  directories: 'outside of projects: changes here are undone too',
  declinedDirectories: 'outside of projects: never asked about again',
  maxFileSize: 'larger files are not looked into',
  voice: 'speech in the page',
  voiceUrl: 'where speech goes',
  voiceModel: 'what listens and speaks there',
}

const KEY = { environment: 'from the environment', file: 'set', none: 'none' }

const NAME = 20
const VALUE = 14

export function settingsText(
  report: SettingsReport & { voiceKey: keyof typeof KEY },
  paint: Paint,
): string {
  const { path, settings, said, unknown, wrong } = report
  const keys = Object.keys(MEANING) as SettingKey[]
  const rowOf = (key: string, value: string, meaning: string, isSaid: boolean): string => {
    const shown = isSaid ? paint.strong(pad(value, VALUE)) : pad(value, VALUE)
    // A long value has a line of its own, so that the meanings stay in their column.
    const next = textWidth(value) > VALUE ? `\n${' '.repeat(NAME + 1 + VALUE)}` : ''
    return `${pad(key, NAME)} ${shown}${next} ${paint.quiet(meaning)}`
  }
  const lines = keys.map((key) =>
    rowOf(key, valueText(key, settings[key]), MEANING[key], said.includes(key)),
  )
  lines.push(rowOf('voiceKey', KEY[report.voiceKey], 'the key for it; never shown', false))
  for (const { key, must } of wrong)
    lines.push(paint.warning(`\`${key}\` is not used: it must be ${must}.`))
  for (const key of unknown)
    lines.push(paint.warning(`\`${key}\` means nothing to this version of Retake; it stays.`))
  return [...lines, paint.quiet(path)].join('\n')
}

function valueText(key: SettingKey, value: SettingsReport['settings'][SettingKey]): string {
  if (value === null) return 'never'
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.join(' ')
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'string') return value
  if (key === 'quota' || key === 'maxFileSize') return bytesText(value)
  return key === 'retention' || key === 'autoArchiveDays' ? `${value} days` : String(value)
}
