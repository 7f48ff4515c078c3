import { Search } from 'lucide-react'
import { useRef } from 'react'
import { usePreferences } from '../preferences.ts'
import { isTyping } from '../turns/turn-keys.ts'
import { Key } from '../ui/key.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'

/** Filters the sessions by words; `/` focuses it. */
export function Filter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const { singleKeys } = usePreferences()
  useKeyDown((event) => {
    if (event.key !== '/' || !singleKeys || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    input.current?.focus()
  })
  return (
    <div className="p-3 pb-1">
      <label className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 focus-within:border-accent">
        <Search size={14} aria-hidden className="text-faint" />
        <input
          ref={input}
          type="search"
          aria-label="Filter sessions"
          placeholder="Filter sessions"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onChange('')
          }}
          className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-faint"
        />
        {singleKeys && <Key>/</Key>}
      </label>
    </div>
  )
}
