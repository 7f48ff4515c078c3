import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { hasClosedTip, TipContainer } from './tip.tsx'

const WIDTHS = { normal: 'max-w-2xl', wide: 'max-w-4xl', full: 'max-w-[90rem]' }

export interface DialogProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly footer?: ReactNode
  readonly aside?: ReactNode
  readonly width?: keyof typeof WIDTHS
}

/**
 * The browser's own modal dialog: it traps the focus, closes on Escape and makes the page inert,
 * without the style elements that the page's security policy forbids.
 */
export function Dialog({ title, onClose, children, footer, aside, width = 'normal' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const [element, setElement] = useState<HTMLDialogElement | null>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    const dialog = ref.current!
    if (!dialog.open) dialog.showModal()
    focusFirst(dialog)
    return () => {
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={(dialog) => {
        ref.current = dialog
        setElement(dialog)
      }}
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A page can cancel only one Escape: at the next one the browser closes the dialog without
      // asking. A cancelled keydown prevents that.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (event.defaultPrevented && !hasClosedTip(event.nativeEvent)) return
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
      className={`m-auto max-h-[min(86vh,52rem)] w-[calc(100%-2rem)] animate-appear overflow-hidden rounded-xl border outline-none border-line bg-surface p-0 text-ink shadow-high ${WIDTHS[width]}`}
    >
      <TipContainer value={element}>
        <div className="flex max-h-[min(86vh,52rem)] flex-col">
          <header className="flex items-center gap-3 border-b border-line py-2.5 pr-2.5 pl-5">
            <h2 id={id} className="min-w-0 flex-1 truncate text-base font-semibold">
              {title}
            </h2>
            {aside}
            <Button variant="quiet" size="icon" aria-label="Close" onClick={onClose}>
              <X size={16} />
            </Button>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center gap-2 border-t border-line bg-sunken px-5 py-3">
              {footer}
            </footer>
          )}
        </div>
      </TipContainer>
    </dialog>
  )
}

/**
 * `showModal` focuses the first button, Close, and ignores React's `autoFocus`: typing a space
 * would then close the dialog. Focus the marked element instead, else a text field, else the
 * dialog.
 */
export function focusFirst(dialog: HTMLDialogElement): void {
  const field = 'input:not([type=radio], [type=checkbox]), textarea'
  const first =
    dialog.querySelector<HTMLElement>('[data-autofocus]') ??
    dialog.querySelector<HTMLElement>(field) ??
    dialog
  first.focus()
}
