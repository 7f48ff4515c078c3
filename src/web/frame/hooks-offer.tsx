import { useMutation } from '@tanstack/react-query'
import { Eye, X } from 'lucide-react'
import type { StatusView } from '#protocol'
import { client } from '../connection/connection.ts'
import { queries } from '../connection/queries.ts'
import { tellFailure } from '../plan/tell-receipt.tsx'
import { prefer, usePreferences } from '../preferences.ts'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/toasts.tsx'

/** Without hooks nobody sees what commands do to files. Says so once, and does it on a click. */
export function HooksOffer({ status }: { status: StatusView | undefined }) {
  const { hooksDeclined } = usePreferences()
  const install = useMutation({
    mutationFn: () => client().installHooks({}),
    onSuccess({ settings, events }) {
      void queries.invalidateQueries({ queryKey: ['status'] })
      notify({
        kind: 'done',
        title: 'The hooks are in',
        body: `${events.length} hooks in ${settings}. They count from the next start of Claude Code; \`retake uninstall\` takes them out.`,
      })
    },
    onError: (error) => tellFailure(error, () => install.mutate()),
  })
  if (status?.hooks !== 'none' || hooksDeclined) return null
  return (
    <section
      aria-label="Hooks"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken px-5 py-1.5 text-xs"
    >
      <Eye size={14} aria-hidden className="text-accent" />
      <p className="min-w-0 flex-1 text-muted">
        <span className="font-medium text-ink">What commands do to files is not seen yet.</span>{' '}
        Small hooks in Claude Code’s settings note when a turn or a command runs, so that undo
        covers Bash too.
      </p>
      <Button
        size="small"
        unavailable={install.isPending ? 'They are being put in.' : undefined}
        onClick={() => install.mutate()}
      >
        Install hooks
      </Button>
      <Button
        look="quiet"
        size="small"
        aria-label="Do not offer again"
        onClick={() => prefer({ hooksDeclined: true })}
      >
        <X size={13} />
      </Button>
    </section>
  )
}
