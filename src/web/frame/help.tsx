import { prefer, usePreferences, type Preferences } from '../preferences.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'
import { PAGE_KEYS } from './page-keys.ts'

/** The keys, and what can be decided about this page. */
export function Help({ onClose }: { onClose: () => void }) {
  const preferences = usePreferences()
  return (
    <Dialog title="Keys and preferences" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-1.5 text-sm">
        {PAGE_KEYS.map(({ keys, does }) => (
          <div key={does} className="col-span-2 grid grid-cols-subgrid">
            <dt className="flex justify-end gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 flex flex-col gap-2.5 border-t border-line pt-4 text-sm">
        <Toggle
          label="Single keys"
          says="the keys above without Ctrl; they show plans, and answer what the agent asks"
          on={preferences.singleKeys}
          onChange={(singleKeys) => prefer({ singleKeys })}
        />
        <Toggle
          label="Ctrl Z and Ctrl Shift Z"
          says="plan an undo and a redo, when nobody is typing"
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
      </div>
    </Dialog>
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
