import { prefer, usePreferences, type Preferences } from '../preferences.ts'
import { Choice } from '../ui/choice.tsx'

const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const

/** The preferences for this page; help and settings both show them. */
export function PagePreferences() {
  const preferences = usePreferences()
  return (
    <div className="flex flex-col gap-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <span className="flex-1">Theme</span>
        <Choice
          legend="Theme"
          of={THEMES}
          value={preferences.theme}
          onChange={(theme) => prefer({ theme })}
        />
      </div>
      <Toggle
        label="Single keys"
        says="keys without Ctrl; they show plans, and answer what the agent asks"
        on={preferences.singleKeys}
        onChange={(singleKeys) => prefer({ singleKeys })}
      />
      <Toggle
        label="Ctrl Z and Ctrl Shift Z"
        says="undo and redo, outside text fields"
        on={preferences.undoKeys}
        onChange={(undoKeys) => prefer({ undoKeys })}
      />
      <label className="flex items-center gap-3">
        <span className="flex-1">
          Open files in <span className="text-muted">when a file’s name is clicked</span>
        </span>
        <select
          value={preferences.editor}
          onChange={(event) => prefer({ editor: event.target.value as Preferences['editor'] })}
          className="h-8 rounded-md border border-line-strong bg-surface px-2"
        >
          <option value="vscode">VS Code</option>
          <option value="cursor">Cursor</option>
          <option value="windsurf">Windsurf</option>
          <option value="zed">Zed</option>
          <option value="idea">IntelliJ IDEA</option>
          <option value="none">nothing</option>
        </select>
      </label>
      <Toggle
        label="Speak without holding a key"
        says="hands free, where speech is on"
        on={preferences.handsFree}
        onChange={(handsFree) => prefer({ handsFree })}
      />
    </div>
  )
}

function Toggle({
  label,
  says,
  on,
  onChange,
}: {
  label: string
  says: string
  on: boolean
  onChange: (on: boolean) => void
}) {
  return (
    <label className="flex items-start gap-3">
      <span className="flex-1">
        {label} <span className="text-muted">{says}</span>
      </span>
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 size-4 accent-accent"
      />
    </label>
  )
}
