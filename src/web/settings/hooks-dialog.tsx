import { useAgent } from '../connection/agents.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client, failureFrom } from '../connection/connection.ts'
import { queries } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { showFailure } from '../plan/show-receipt.tsx'
import { Diff } from '../turns/diff.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PathText } from '../ui/path-text.tsx'
import { notify } from '../ui/toasts.tsx'

interface HooksDialogProps {
  readonly act: 'install' | 'remove'
  readonly onClose: () => void
}

/** Shows the change to the agent's settings before anything is written. */
export function HooksDialog({ act, onClose }: HooksDialogProps) {
  const { name } = useAgent()
  const isInstall = act === 'install'
  const call = (dryRun: boolean) =>
    isInstall ? client().installHooks({ dryRun }) : client().removeHooks({ dryRun })
  const { data, error, refetch } = useQuery({
    queryKey: ['hooks', act],
    queryFn: () => call(true),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const go = useMutation({
    mutationFn: () => call(false),
    onSuccess({ others, ...first }) {
      const all = [first, ...others]
      const settings = all.map((each) => each.settings).join(', ')
      const blocks = all.flatMap(({ blocked }) => (blocked === null ? [] : [`${blocked.says} ${blocked.cure}`])) // prettier-ignore
      void queries.invalidateQueries({ queryKey: ['hooks'] })
      void queries.invalidateQueries({ queryKey: ['status'] })
      void queries.invalidateQueries({ queryKey: ['doctor'] })
      notify({
        kind: 'done',
        title: isInstall ? 'Installed the hooks' : 'Removed the hooks',
        body: isInstall
          ? [`They are in ${settings} and run from the next start on.`, ...blocks].join(' ')
          : `${settings} is otherwise unchanged.`,
      })
      onClose()
    },
    onError: (failed) => showFailure(failed),
  })
  // An agent whose plugin brings the hooks, or that has none to remove, needs no section.
  const all = data === undefined ? [] : [data, ...data.others]
  const shown = all.filter((each, n) => n === 0 || each.hunks.length > 0 || each.blocked !== null)
  const label = isInstall ? 'Install hooks' : 'Remove hooks'
  return (
    <Dialog
      title={isInstall ? `Install hooks in ${name}` : `Remove the hooks from ${name}`}
      onClose={onClose}
      footer={
        <>
          <span className="flex-1 text-xs text-muted">
            {isInstall
              ? 'You can remove them in Settings.'
              : 'Undo will no longer cover what shell commands change.'}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={isInstall ? 'primary' : 'danger'}
            data-autofocus
            unavailable={
              data === undefined
                ? 'Reading the settings…'
                : shown.every(({ change }) => change === 'unchanged')
                  ? 'Nothing would change.'
                  : undefined
            }
            onClick={() => go.mutate()}
          >
            {label}
          </Button>
        </>
      }
    >
      {isInstall && (
        <p className="mb-3 text-sm text-muted">
          With hooks, {name} tells Retake when a turn or a shell command starts and ends. Retake
          scans your files at these moments, so that undo covers what commands changed.
        </p>
      )}
      {error !== null && <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />}
      {shown.map((each) => (
        <section
          key={each.settings}
          aria-label="What is written"
          className="mb-3 overflow-hidden rounded-lg border border-line"
        >
          <div className="flex items-center gap-2 border-b border-line bg-sunken px-3 py-1.5 text-xs">
            <PathText path={each.linkedTo ?? each.settings} />
            {each.created && <span className="shrink-0 text-muted">new file</span>}
          </div>
          <Diff file={{ path: each.settings, hunks: each.hunks }} />
        </section>
      ))}
      {shown.map(
        ({ agent, blocked }) =>
          blocked !== null && (
            <p key={agent} className="mt-3 text-sm text-warn">
              {blocked.says} {blocked.cure}
            </p>
          ),
      )}
      {data?.disabled === true && data.blocked === null && (
        <p className="mt-3 text-sm text-warn">
          These settings have `disableAllHooks`: no hook will run until you remove that.
        </p>
      )}
    </Dialog>
  )
}
