import { prefer, usePreferences } from '../preferences.ts'
import { Choice } from '../ui/choice.tsx'

const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const
const KEYS = { on: 'On', off: 'Off' } as const

/** What was decided about this page; it stays in the browser. */
export function Look() {
  const { theme, singleKeys } = usePreferences()
  return (
    <div className="flex flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <span className="flex-1">Theme</span>
        <Choice
          legend="Theme"
          of={THEMES}
          value={theme}
          onChange={(next) => prefer({ theme: next })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <span className="flex-1">
          Single keys <span className="text-muted">they only show plans</span>
        </span>
        <Choice
          legend="Single keys"
          of={KEYS}
          value={singleKeys ? 'on' : 'off'}
          onChange={(next) => prefer({ singleKeys: next === 'on' })}
        />
      </div>
    </div>
  )
}
