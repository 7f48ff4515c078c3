/** The answer of `retake settings`; the engine's report has the same fields. */
export interface SettingsView {
  schema: 'retake.settings/1'
  path: string
  settings: {
    quota: number
    retention: number
    include: string[]
    branchLimit: number
    branchWarning: number
    autoArchiveDays: number | null
    plainUndo: boolean
    confirm: boolean
    directories: string[]
    declinedDirectories: string[]
    maxFileSize: number
    voice: boolean
    voiceUrl: string
    voiceModel: string
  }
  /** Where the key of the speech service is; the key itself is never shown. */
  voiceKey: 'environment' | 'file' | 'none'
  /** Keys that the file sets; all others have their default. */
  said: string[]
  unknown: string[]
  wrong: { key: string; must: string }[]
}

type Lists = 'include' | 'directories' | 'declinedDirectories'

export function settingsView(report: {
  readonly path: string
  readonly settings: Omit<SettingsView['settings'], Lists> &
    Readonly<Record<Lists, readonly string[]>>
  readonly voiceKey: SettingsView['voiceKey']
  readonly said: readonly string[]
  readonly unknown: readonly string[]
  readonly wrong: readonly { readonly key: string; readonly must: string }[]
}): SettingsView {
  const { path, settings, voiceKey, said, unknown, wrong } = report
  return {
    schema: 'retake.settings/1',
    path,
    settings: {
      ...settings,
      include: [...settings.include],
      directories: [...settings.directories],
      declinedDirectories: [...settings.declinedDirectories],
    },
    voiceKey,
    said: [...said],
    unknown: [...unknown],
    wrong: [...wrong],
  }
}
