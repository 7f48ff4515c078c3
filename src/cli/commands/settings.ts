import { changeSetting, readSettings } from '#engine'
import { settingsView } from '#protocol'
import type { Context } from '../context.ts'
import { settingsText } from '../text/settings-text.ts'
import { allVisible } from '../visible.ts'

export function showSettings(context: Context): void {
  const report = readSettings(context.machine)
  if (context.json) return context.print(settingsView(report))
  context.write(settingsText(allVisible(report), context.paint))
}

export function setSetting(context: Context, key: string, words: readonly string[]): void {
  changeSetting(context.machine, key, words)
  showSettings(context)
}
