import { expect, test } from 'vitest'
import { parseSettings, readSettingWords, settingKeys } from './settings.ts'

test('[house] missing settings mean the defaults, and unknown keys are reported', () => {
  const { settings, said, unknown, wrong } = parseSettings({ later: 1, quota: 64 * 1024 * 1024 })
  expect(settings).toEqual({
    quota: 64 * 1024 * 1024,
    retention: 90,
    include: [],
    branchLimit: 20,
    branchWarning: 15,
    autoArchiveDays: null,
    plainUndo: false,
    confirm: true,
    directories: [],
    declinedDirectories: [],
    maxFileSize: 50 * 1024 * 1024,
    voice: false,
    voiceUrl: 'https://generativelanguage.googleapis.com',
    voiceModel: 'gemini-3.1-flash-live-preview',
  })
  expect({ said, unknown, wrong }).toEqual({ said: ['quota'], unknown: ['later'], wrong: [] })
})

test('[house] a wrong value is reported with the allowed ones, and the default is used', () => {
  const wrongOnes = {
    quota: '5 GB',
    retention: 0,
    include: ['!x'],
    branchLimit: 1.5,
    branchWarning: -1,
    autoArchiveDays: 'never',
    plainUndo: 'yes',
    confirm: 'no',
    directories: ['relative'],
    declinedDirectories: '/a',
    maxFileSize: 2 ** 40,
    voice: 1,
    voiceUrl: 'https://*.example.com',
    voiceModel: 'a model',
  }
  const { settings, wrong } = parseSettings(wrongOnes)
  expect(wrong.map(({ key }) => key)).toEqual([...settingKeys])
  expect(settings).toEqual(parseSettings(undefined).settings)
})

test.each([
  ['quota', ['2GB'], 2 ** 31],
  ['quota', ['1.5 gb'], 1.5 * 2 ** 30],
  ['quota', ['1'], undefined],
  ['maxFileSize', ['500KB'], 500 * 1024],
  ['retention', ['30'], 30],
  ['retention', ['30', '40'], undefined],
  ['autoArchiveDays', ['never'], null],
  ['plainUndo', ['on'], true],
  ['plainUndo', ['1'], undefined],
  ['include', ['.env', '/config/*.local'], ['.env', '/config/*.local']],
  ['include', [], []],
  ['voice', ['on'], true],
  ['voiceUrl', ['https://speech.example.com:8443/'], 'https://speech.example.com:8443'],
  ['voiceUrl', ['http://127.0.0.1:9/'], 'http://127.0.0.1:9'],
  ['voiceUrl', ['http://speech.example.com'], undefined],
  ['voiceUrl', ['https://speech.example.com/v1'], undefined],
  ['voiceUrl', ['https://me@speech.example.com'], undefined],
  ['voiceUrl', ['https://a;script-src'], undefined],
  ['voiceUrl', ['speech'], undefined],
  ['voiceModel', ['gemini-x'], 'gemini-x'],
] as const)('[house] %s given as %j is %j', (key, words, value) => {
  expect(readSettingWords(key, words)).toEqual(value)
})
