import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import type { ReactNode } from 'react'
import { create } from 'zustand'
import { Button } from './button.tsx'

export interface Notice {
  readonly kind: 'done' | 'failed' | 'said'
  readonly title: string
  readonly body?: ReactNode
  /** A program's output, unchanged. The toast stays until it is closed. */
  readonly text?: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

interface Shown extends Notice {
  readonly id: number
}

const useNotices = create<{ list: readonly Shown[] }>(() => ({ list: [] }))
let last = 0

/** Shows a toast. A plain one closes soon, one with a button later, a failure only by hand. */
export function notify(notice: Notice): void {
  last += 1
  const shown = { ...notice, id: last }
  useNotices.setState(({ list }) => ({ list: [...list.slice(-2), shown] }))
}

/** Milliseconds until it closes by itself. */
export function timeOf({ kind, text, action }: Notice): number {
  if (kind === 'failed' || text !== undefined) return Infinity
  return action === undefined ? 5000 : 20_000
}

function dismiss(id: number): void {
  useNotices.setState(({ list }) => ({ list: list.filter((notice) => notice.id !== id) }))
}

export function Toasts() {
  const { list } = useNotices()
  return (
    <Toast.Provider duration={5000} label="Result" swipeDirection="right">
      {list.map((notice) => (
        <One key={notice.id} notice={notice} />
      ))}
      <Toast.Viewport
        data-notices
        // Never covers the header, and stays above the bar of undone turns.
        className="fixed right-4 bottom-40 z-40 [body:has([data-undone])_&]:bottom-56 flex max-h-[calc(100dvh-15rem)] w-96 max-w-[calc(100vw-2rem)] list-none flex-col gap-2 overflow-y-auto outline-none short:bottom-36 short:max-h-[calc(100dvh-14rem)] short:[&>li:not(:last-child)]:hidden"
      />
    </Toast.Provider>
  )
}

/** A toast that closes gives the focus to the list, and a focused list closes no toasts. */
function act(run: () => void): void {
  run()
  setTimeout(() => {
    const focused = document.activeElement
    if (focused instanceof HTMLElement && focused.closest('[data-notices]')) focused.blur()
  }, 50)
}

function One({ notice }: { notice: Shown }) {
  const { id, kind, title, body, text, action } = notice
  const Icon = kind === 'failed' ? CircleAlert : CircleCheck
  return (
    <Toast.Root
      type={kind === 'failed' ? 'foreground' : 'background'}
      duration={timeOf(notice)}
      onOpenChange={(open) => !open && dismiss(id)}
      className="flex animate-appear gap-3 rounded-lg border border-line bg-surface p-3.5 shadow-high"
    >
      <Icon
        size={17}
        aria-hidden
        className={`mt-px shrink-0 ${kind === 'failed' ? 'text-removed' : 'text-added'}`}
      />
      <div className="min-w-0 flex-1">
        <Toast.Title className="text-sm font-medium">{title}</Toast.Title>
        {text !== undefined && (
          <Toast.Description asChild>
            <pre
              tabIndex={0}
              className="mt-1 max-h-60 overflow-auto font-mono text-xs whitespace-pre-wrap text-muted"
            >
              {text}
            </pre>
          </Toast.Description>
        )}
        {body !== undefined && (
          <Toast.Description asChild>
            <div className="mt-1 text-xs text-muted">{body}</div>
          </Toast.Description>
        )}
      </div>
      {action !== undefined && (
        <Toast.Action asChild altText={action.label}>
          <Button size="small" onClick={() => act(action.run)}>
            {action.label}
          </Button>
        </Toast.Action>
      )}
      <Toast.Close asChild>
        <Button variant="quiet" size="small" aria-label="Close" className="!px-1">
          <X size={14} />
        </Button>
      </Toast.Close>
    </Toast.Root>
  )
}
