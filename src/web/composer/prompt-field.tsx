import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { findAt, insertPath, type AtToken } from './at-file.ts'
import { FileChoices, useFileChoices } from './file-choices.tsx'

interface PromptFieldProps {
  readonly value: string
  readonly placeholder: string
  readonly label?: string
  readonly describedBy?: string
  readonly focus?: boolean
  readonly rows?: number
  /** An @ lists the files of this session's project. */
  readonly session?: string
  /** The side on which that list opens. */
  readonly listFiles?: 'above' | 'below'
  readonly onChange: (value: string) => void
  readonly onSend: () => void
  readonly onEscape?: () => void
  /** Escape twice in a row, in an empty field. */
  readonly onEscapeTwice?: () => void
  readonly onPasteFiles?: (files: readonly File[]) => void
}

/** Milliseconds. Two key presses within this time count as one gesture. */
const TWICE = 1000

/**
 * A text field that grows with its prompt. Enter sends, Shift-Enter starts a new line, @ lists
 * files next to the surrounding box, which must be `relative`.
 */
export function PromptField(props: PromptFieldProps) {
  const { value, placeholder, label = 'Prompt', describedBy, focus, rows = 1 } = props
  const {
    session,
    listFiles = 'above',
    onChange,
    onSend,
    onEscape,
    onEscapeTwice,
    onPasteFiles,
  } = props
  const escaped = useRef(-Infinity)
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const [token, setToken] = useState<AtToken | null>(null)
  const choices = useFileChoices(session, token)
  const caret = useRef<number | null>(null)
  useEffect(() => {
    const element = field.current!
    element.style.height = 'auto'
    element.style.height = `${Math.min(240, element.scrollHeight)}px`
  }, [value])
  useLayoutEffect(() => {
    // Setting the value moves the caret to the end.
    if (caret.current !== null) field.current!.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [value])
  const readCursor = (): void => {
    const { value: text, selectionStart, selectionEnd } = field.current!
    setToken(selectionStart === selectionEnd ? findAt(text, selectionStart) : null)
  }
  const choose = (path: string): void => {
    if (token === null) return
    const done = insertPath(value, token, path)
    caret.current = done.caret
    onChange(done.text)
    setToken(path.endsWith('/') ? findAt(done.text, done.caret) : null)
    field.current!.focus()
  }
  return (
    <>
      {choices !== null && (
        <FileChoices
          id={list}
          choices={choices}
          typed={token?.typed ?? ''}
          side={listFiles}
          onChoose={choose}
        />
      )}
      <textarea
        ref={field}
        rows={rows}
        value={value}
        autoFocus={focus}
        data-prompt={label === 'Prompt' || undefined}
        dir="auto"
        aria-label={label}
        aria-describedby={describedBy}
        aria-autocomplete={session === undefined ? undefined : 'list'}
        aria-controls={choices === null ? undefined : list}
        aria-activedescendant={
          choices === null || choices.paths.length === 0 ? undefined : `${list}-${choices.at}`
        }
        placeholder={placeholder}
        onChange={(event) => {
          onChange(event.target.value)
          readCursor()
        }}
        onSelect={readCursor}
        onBlur={() => setToken(null)}
        onPaste={(event) => {
          const { files, types } = event.clipboardData
          // A copied table is on the clipboard as text and as an image; the user wants the text.
          if (files.length === 0 || types.includes('text/plain')) return
          event.preventDefault()
          onPasteFiles?.([...files])
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (choices !== null && choices.paths.length > 0) {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            const takes = (event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab'
            if (step !== undefined) choices.move(step)
            else if (takes) choose(choices.paths[choices.at]!)
            if (step !== undefined || takes) return event.preventDefault()
          }
          // Otherwise a quick Enter would send the prompt instead of choosing a file.
          if (choices?.state === 'looking' && event.key === 'Enter') return event.preventDefault()
          if (event.key === 'Escape') {
            if (choices !== null) {
              // Escape closes only the list here; it must not stop the turn.
              event.preventDefault()
              event.stopPropagation()
              return setToken(null)
            }
            onEscape?.()
            const isSecond = event.timeStamp - escaped.current < TWICE && value === ''
            escaped.current = isSecond ? -Infinity : event.timeStamp
            // Otherwise the browser closes the dialog with the key press that opens it.
            if (isSecond) event.preventDefault()
            if (isSecond) onEscapeTwice?.()
          }
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          onSend()
        }}
        className="block max-h-60 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-base outline-none placeholder:text-faint"
      />
    </>
  )
}
