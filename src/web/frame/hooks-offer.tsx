import { Eye, X } from 'lucide-react'
import { useState } from 'react'
import type { StatusView } from '#protocol'
import { prefer, usePreferences } from '../preferences.ts'
import { HooksDialog } from '../settings/hooks-dialog.tsx'
import { Button } from '../ui/button.tsx'

/** Offers hooks, without which undo misses what shell commands do. Shows the change first. */
export function HooksOffer({ status }: { status: StatusView | undefined }) {
  const { hooksDeclined } = usePreferences()
  const [open, setOpen] = useState(false)
  const isOffered = status?.hooks === 'none' && !hooksDeclined
  return (
    <>
      {isOffered && (
        <section
          aria-label="Hooks"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 short:hidden border-b border-line bg-sunken px-5 py-1.5 text-xs"
        >
          <Eye size={14} aria-hidden className="text-accent" />
          <p className="min-w-0 flex-1 font-medium text-ink">
            Undo can’t see file changes made by shell commands yet.
          </p>
          <Button size="small" onClick={() => setOpen(true)}>
            Install hooks…
          </Button>
          <Button
            variant="quiet"
            size="small"
            aria-label="Do not offer again"
            onClick={() => prefer({ hooksDeclined: true })}
          >
            <X size={13} />
          </Button>
        </section>
      )}
      {open && <HooksDialog act="install" onClose={() => setOpen(false)} />}
    </>
  )
}
