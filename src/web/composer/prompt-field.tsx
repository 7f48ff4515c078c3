import { useEffect, useRef } from 'react'

interface PromptFieldProps {
  readonly value: string
  readonly placeholder: string
  readonly describedBy?: string
  readonly focus?: boolean
  readonly rows?: number
  readonly onChange: (value: string) => void
  readonly onSend: () => void
  readonly onEscape?: () => void
  /** Twice in a row, in an empty field. */
  readonly onEscapeTwice?: () => void
}

/** So close together two keys are one gesture. */
const TWICE = 1000

/** Where a prompt is written: grows with it, Enter sends, Shift-Enter begins a line. */
export function PromptField(props: PromptFieldProps) {
  const { value, placeholder, describedBy, focus, rows = 1, onChange, onSend } = props
  const { onEscape, onEscapeTwice } = props
  const escaped = useRef(-Infinity)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = field.current!
    element.style.height = 'auto'
    element.style.height = `${Math.min(240, element.scrollHeight)}px`
  }, [value])
  return (
    <textarea
      ref={field}
      rows={rows}
      value={value}
      autoFocus={focus}
      data-prompt
      dir="auto"
      aria-label="Prompt"
      aria-describedby={describedBy}
      placeholder={placeholder}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          onEscape?.()
          const isSecond = event.timeStamp - escaped.current < TWICE && value === ''
          escaped.current = isSecond ? -Infinity : event.timeStamp
          // Else the browser closes, by this same key, the dialog that opens now.
          if (isSecond) event.preventDefault()
          if (isSecond) onEscapeTwice?.()
        }
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        onSend()
      }}
      className="block max-h-60 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-base outline-none placeholder:text-faint"
    />
  )
}
