/** What `retake settings` says; the engine's report has these fields. */
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
    maxFileSize: number
  }
  /** Keys that the file gives; all others have their default. */
  said: string[]
  unknown: string[]
  wrong: { key: string; must: string }[]
}

export function settingsView(report: {
  readonly path: string
  readonly settings: Omit<SettingsView['settings'], 'include'> & {
    readonly include: readonly string[]
  }
  readonly said: readonly string[]
  readonly unknown: readonly string[]
  readonly wrong: readonly { readonly key: string; readonly must: string }[]
}): SettingsView {
  const { path, settings, said, unknown, wrong } = report
  return {
    schema: 'retake.settings/1',
    path,
    settings: { ...settings, include: [...settings.include] },
    said: [...said],
    unknown: [...unknown],
    wrong: [...wrong],
  }
}
