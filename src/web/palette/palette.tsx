import { Search } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { focusFirst } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { count } from '../words.ts'
import { useActions } from './actions.ts'
import { useFound } from './found.tsx'
import type { Option } from './option.ts'

interface PaletteProps {
  readonly session: string | undefined
  readonly onHelp: () => void
}

/** The shortcut that opens the palette; on a Mac, Cmd works like Ctrl. */
export const OPEN = { shortcut: 'Ctrl K' } as const

/** Searches all turns, files and sessions, and lists what can be done here. */
export function Palette(props: PaletteProps) {
  const [open, setOpen] = useState(false)
  useKeyDown((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    if (event.key.toLowerCase() !== 'k') return
    // An open dialog waits for a decision, so it stays in front.
    if (document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    setOpen(true)
  })
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs whitespace-nowrap text-muted hover:bg-hover hover:text-ink"
      >
        <Search size={14} aria-hidden />
        Search <Key>{OPEN.shortcut}</Key>
      </button>
      {open &&
        // A portal, because small screens hide the pane with the button and everything in it.
        createPortal(<Opened {...props} onClose={() => setOpen(false)} />, document.body)}
    </>
  )
}

function Opened({ session, onHelp, onClose }: PaletteProps & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [words, setWords] = useState('')
  const [place, setPlace] = useState(0)
  const id = useId()
  const actions = useActions(session, words, onHelp)
  const { options: found, state, left } = useFound(words)
  const options = useMemo(() => [...found, ...actions], [found, actions])
  const at = Math.min(place, Math.max(0, options.length - 1))
  useEffect(() => {
    const before = document.activeElement
    const element = dialog.current!
    if (!element.open) element.showModal()
    focusFirst(element)
    return () => {
      element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  const choose = (option: Option | undefined): void => {
    if (option === undefined) return
    onClose()
    option.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setPlace((at + 1) % Math.max(1, options.length))
    else if (event.key === 'ArrowUp')
      setPlace((at - 1 + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose(options[at])
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      className="mx-auto mt-[10vh] max-h-[70vh] w-[calc(100%-2rem)] max-w-2xl animate-appear overflow-hidden rounded-xl border border-line bg-surface p-0 text-ink shadow-high"
    >
      <div className="flex max-h-[70vh] flex-col">
        <label className="flex items-center gap-3 border-b border-line px-4">
          <Search size={16} aria-hidden className="text-faint" />
          <input
            data-autofocus
            role="combobox"
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={options.length === 0 ? undefined : `${id}-${at}`}
            aria-autocomplete="list"
            aria-label="Search turns, files, commands and sessions"
            placeholder="Search turns, files, commands and sessions, or type an action"
            value={words}
            onChange={(event) => {
              setWords(event.target.value)
              setPlace(0)
            }}
            onKeyDown={onKeyDown}
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
          />
          <Key>esc</Key>
        </label>
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Found"
          className="min-h-0 flex-1 overflow-y-auto p-1.5"
        >
          {options.map((option, place_) => (
            <OptionLine
              key={option.id}
              option={option}
              id={`${id}-${place_}`}
              chosen={place_ === at}
              heading={options[place_ - 1]?.group === option.group ? null : option.group}
              onChoose={() => choose(option)}
              onPoint={() => setPlace(place_)}
            />
          ))}
        </div>
        <p role="status" className="border-t border-line px-4 py-2 text-xs text-muted">
          {statusWords(state, found.length, left, actions.length)}
        </p>
      </div>
    </dialog>
  )
}

function statusWords(
  state: 'idle' | 'looking' | 'done',
  found: number,
  left: number,
  commands: number,
): string {
  if (state === 'idle') return 'Type to search in all sessions and branches.'
  if (state === 'looking') return 'Searching…'
  if (left > 0) return `${count(found, 'result')}; reading ${count(left, 'more session')}…`
  if (found > 0) return count(found, 'result')
  return commands === 0 ? 'Nothing found.' : 'No turns, files or sessions match.'
}

function OptionLine({
  option,
  id,
  chosen,
  heading,
  onChoose,
  onPoint,
}: {
  option: Option
  id: string
  chosen: boolean
  heading: string | null
  onChoose: () => void
  onPoint: () => void
}) {
  const { icon: Icon, label, detail, aside, shortcut } = option
  return (
    <>
      {heading !== null && (
        <div role="presentation" className="px-2.5 pt-2 pb-1 text-2xs font-semibold text-muted">
          {heading}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={chosen}
        onClick={onChoose}
        onPointerMove={chosen ? undefined : onPoint}
        className="flex cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5 text-sm aria-selected:bg-accent-soft"
      >
        <Icon size={15} aria-hidden className="shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="block truncate">{label}</span>
          {detail !== undefined && (
            <span className="block truncate text-xs text-muted">{detail}</span>
          )}
        </span>
        {aside !== undefined && <span className="shrink-0 text-xs text-muted">{aside}</span>}
        {shortcut !== undefined && <Key>{shortcut}</Key>}
      </div>
    </>
  )
}
