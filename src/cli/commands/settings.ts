import { createInterface } from 'node:readline/promises'
import { changeSetting, findVoiceKey, readSettings, writeVoiceKey } from '#engine'
import { Failure } from '#failure'
import { settingsView } from '#protocol'
import type { Context } from '../context.ts'
import { settingsText } from '../text/settings-text.ts'
import { allVisible } from '../visible.ts'

export function showSettings(context: Context): void {
  const { machine, environment } = context
  const voiceKey = findVoiceKey(machine, environment.voiceKey)?.from ?? ('none' as const)
  const report = { ...readSettings(machine), voiceKey }
  if (context.json) return context.print(settingsView(report))
  context.write(settingsText(allVisible(report), context.paint))
}

export async function setSetting(
  context: Context,
  key: string,
  words: readonly string[],
): Promise<void> {
  if (key === 'voiceKey') await setVoiceKey(context, words)
  else changeSetting(context.machine, key, words)
  showSettings(context)
}

/** Never from the command line: arguments stay in the shell's history and show in `ps`. */
async function setVoiceKey(context: Context, [word]: readonly string[]): Promise<void> {
  if (word === 'none') return writeVoiceKey(context.machine, null)
  if (word !== '-')
    throw new Failure('usage', 'A key cannot be given on the command line.', {
      hint: 'Run `retake settings set voiceKey -` and paste it, or pipe it in; `none` removes it.',
    })
  if (context.interactive) context.say('Paste the key, then press Enter.')
  const input = createInterface({ input: process.stdin, terminal: false })
  try {
    for await (const line of input) return writeVoiceKey(context.machine, line.trim())
  } finally {
    input.close()
  }
  throw new Failure('usage', 'No key was entered.')
}
