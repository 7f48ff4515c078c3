import { diffTexts, type DiffHunk } from '#timeline'

/** What `retake install` did to the settings of an agent. */
export interface InstallView {
  schema: 'retake.install/1'
  dryRun: boolean
  scope: 'user' | 'project'
  settings: string
  linkedTo: string | null
  change: 'added' | 'updated' | 'removed' | 'unchanged'
  created: boolean
  events: string[]
  spool: string
  plugin: boolean
  disabled: boolean
  /** The diff of the settings file. */
  hunks: DiffHunk[]
}

const DONE = {
  add: 'added',
  update: 'updated',
  remove: 'removed',
  'remove-file': 'removed',
  none: 'unchanged',
} as const

export function installView(
  plan: {
    readonly change: {
      readonly change: string
      readonly settings: string
      readonly linkedTo: string | null
      readonly creates: boolean
      readonly events: readonly string[]
      readonly disabled: boolean
      readonly before: string | null
      readonly after: string | null
    }
    readonly spool: string
    readonly plugin: boolean
  },
  { scope, dryRun }: { scope: InstallView['scope']; dryRun: boolean },
): InstallView {
  const { change, spool, plugin } = plan
  return {
    schema: 'retake.install/1',
    dryRun,
    scope,
    settings: change.settings,
    linkedTo: change.linkedTo,
    change: DONE[change.change as keyof typeof DONE] ?? 'unchanged',
    created: change.creates,
    events: [...change.events],
    spool,
    plugin,
    disabled: change.disabled,
    hunks: change.change === 'none' ? [] : diffTexts(change.before ?? '', change.after ?? ''),
  }
}
