import type { SettingKey, SettingsReport } from '#engine'
import { bytesText } from './bytes.ts'
import { pad, type Paint } from './paint.ts'
import { textWidth } from './text-width.ts'

const MEANING: Record<SettingKey, string> = {
  quota: 'storage limit for all projects',
  retention: 'how long an operation can be undone',
  include: 'git-ignored files to record anyway',
  branchLimit: 'maximum number of branches per session',
  branchWarning: 'warn at this many branches per session',
  autoArchiveDays: 'archive unused branches after this time',
  plainUndo: 'treat a prompt that is only "undo" as a command',
  confirm: 'ask before changing files, at a terminal',
  directories: 'directories outside projects whose changes are undone too',
  declinedDirectories: 'directories outside projects to never ask about',
  maxFileSize: 'do not record larger files',
  voice: 'speech on the page',
  voiceUrl: 'address of the speech service',
  voiceModel: 'model of the speech service',
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
    // A long value pushes its meaning to the next line, so that the column stays aligned.
    const next = textWidth(value) > VALUE ? `\n${' '.repeat(NAME + 1 + VALUE)}` : ''
    return `${pad(key, NAME)} ${shown}${next} ${paint.quiet(meaning)}`
  }
  const lines = keys.map((key) =>
    rowOf(key, valueText(key, settings[key]), MEANING[key], said.includes(key)),
  )
  lines.push(
    rowOf('voiceKey', KEY[report.voiceKey], 'key for the speech service; never shown', false),
  )
  for (const { key, must } of wrong)
    lines.push(paint.warning(`\`${key}\` is ignored: it must be ${must}.`))
  for (const key of unknown)
    lines.push(
      paint.warning(`\`${key}\` is unknown to this version of Retake. It stays in the file.`),
    )
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
