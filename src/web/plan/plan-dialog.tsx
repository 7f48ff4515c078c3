import { useNavigate } from '@tanstack/react-router'
import { Camera, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Failure } from '#failure'
import type { PlanBody, PlanView, ReceiptView } from '#protocol'
import { failureFrom } from '../connection/connection.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'
import { clock, count } from '../words.ts'
import { Failed } from './failed.tsx'
import { InlineCode } from './inline-code.tsx'
import { ProgressLine, useIsFinishing } from './progress.tsx'
import { PlanFiles } from './plan-files.tsx'
import { actionOf, sentenceOf, titleOf, type Choice as Decision } from './plan-words.ts'
import { offerDecision, stopAsking, usePlanning, type Wanted } from './planning.ts'
import { tellReceipt } from './tell-receipt.tsx'
import { useApply, useCancel, usePlan } from './use-plan.ts'

/** Shows the plan that somebody asked for, and carries it out when they say so. */
export function PlanDialogs({ project }: { project: string | null }) {
  const { wanted } = usePlanning()
  if (wanted === null) return null
  return <PlanDialog key={JSON.stringify(wanted)} wanted={wanted} project={project} />
}

type Scope = 'both' | 'files' | 'chat'

function PlanDialog({ wanted, project }: { wanted: Wanted; project: string | null }) {
  const [scope, setScope] = useState<Scope>(scopeOf(wanted.body))
  const [choices, setChoices] = useState<Readonly<Record<string, Decision>>>({})
  const [unsure, setUnsure] = useState(false)
  const body = withScope(wanted.body, scope, unsure)
  const { planned, again } = usePlan({ ...wanted, body })
  const navigate = useNavigate()
  const finish = (receipt: ReceiptView): void => {
    stopAsking()
    tellReceipt(receipt, project)
    const made = receipt.verb === 'branch' ? receipt.branches?.[0] : undefined
    if (made !== undefined) void navigate({ to: '/s/$session', params: { session: made.id } })
  }
  const apply = useApply(finish)
  const plan = planned.kind === 'plan' ? planned.plan : null

  // Nothing to do needs no question, and neither does a move of the conversation alone.
  const silent =
    planned.kind === 'nothing' ||
    (plan !== null && !wanted.byKey && scope === scopeOf(wanted.body) && asksNothing(plan, scope))
  const { mutate, mutateAsync, isIdle, isPending } = apply
  const cancel = useCancel()
  const isFinishing = useIsFinishing(plan?.id)
  const leave = (): void => {
    if (!isPending) stopAsking()
    else if (plan !== null && !isFinishing && !cancel.isPending) cancel.mutate(plan.id)
  }
  // What was cancelled has told so itself.
  const error = isInterrupted(apply.error) ? null : apply.error
  // A file may be called `constructor`, which every object has.
  const open = plan?.files.filter(
    ({ path, verb }) => verb === 'conflict' && !Object.hasOwn(choices, path),
  )
  const undecided = open?.length ?? 0
  useEffect(() => {
    if (plan === null || isPending) return
    offerDecision({ undecided, carryOut: () => mutateAsync({ plan, choices }) })
    return () => offerDecision(null)
  })
  useEffect(() => {
    if (!silent) return
    if (planned.kind === 'nothing') finish(planned.receipt)
    else if (plan !== null && isIdle) mutate({ plan, choices: {} })
  })
  if (silent && error === null) return null

  const failure = error === null ? null : failureFrom(error)
  const go = (): void => {
    if (plan !== null) mutate({ plan, choices })
  }
  return (
    <Dialog
      title={titleOf(wanted.body, plan)}
      onClose={leave}
      aside={
        plan === null ? null : (
          <span className="text-2xs text-faint">plan {plan.id.slice(0, 6)}</span>
        )
      }
      footer={
        <>
          <p className="flex min-w-0 flex-1 items-center gap-2 text-xs text-muted">
            <Camera size={14} aria-hidden className="shrink-0" />
            A snapshot is taken first, so this can be undone.
          </p>
          <Button
            onClick={leave}
            unavailable={
              cancel.isPending
                ? 'It is being taken back.'
                : isPending && isFinishing
                  ? 'It is as good as done.'
                  : undefined
            }
          >
            Cancel <Key>esc</Key>
          </Button>
          <Button
            look="primary"
            autoFocus
            onClick={go}
            unavailable={
              isPending
                ? 'It is being done.'
                : plan === null
                  ? 'There is no plan yet.'
                  : undecided > 0
                    ? `Decide about ${count(undecided, 'file')} first.`
                    : undefined
            }
          >
            {isPending && <LoaderCircle size={14} className="animate-spin" />}
            {isPending ? 'Working…' : actionOf(wanted.body)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {hasScope(wanted.body) && (
          <Choice
            legend="What moves"
            of={wanted.body.verb === 'op-undo' ? OF_OPERATION : SCOPES}
            value={scope}
            onChange={setScope}
          />
        )}
        {isPending && plan !== null && (
          <ProgressLine plan={plan.id} cancelling={cancel.isPending} />
        )}
        {failure !== null && <Failed failure={failure} onRetry={isStale(failure) ? again : go} />}
        {planned.kind === 'failed' && <Failed failure={planned.failure} onRetry={again} />}
        {planned.kind === 'waiting' && <Planning />}
        {plan !== null && (
          <>
            <p className="text-base">{sentenceOf(plan)}</p>
            <Facts plan={plan} />
            {plan.files.length > 0 && (
              <PlanFiles plan={plan} choices={choices} onChoose={setChoices} />
            )}
            <Unsure plan={plan} included={unsure} onChange={setUnsure} />
            <Said title="Check" lines={plan.warnings} />
            <Said title="Not covered" lines={plan.notCovered} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function isInterrupted(error: unknown): boolean {
  return error !== null && failureFrom(error).code === 'interrupted'
}

/** The plan that was looked at is not what would be done now. */
function isStale({ code }: Failure): boolean {
  return code === 'stale-plan' || code === 'plan-stale' || code === 'plan-not-found'
}

function asksNothing(plan: PlanView, scope: Scope): boolean {
  return (
    plan.verb !== 'branch' &&
    plan.files.every(({ verb }) => verb === 'skip') &&
    // Whether these go too, somebody must say; and that a command's traces stay is news to who
    // wanted the files to go back.
    (plan.unsure ?? []).length === 0 &&
    (scope === 'chat' || plan.notCovered.length === 0) &&
    plan.conversation !== 'none'
  )
}

function scopeOf(body: PlanBody): Scope {
  return 'only' in body && body.only !== undefined ? body.only : 'both'
}

function hasScope({ verb }: PlanBody): boolean {
  return (
    verb === 'undo' ||
    verb === 'redo' ||
    verb === 'rewind' ||
    verb === 'switch' ||
    verb === 'op-undo'
  )
}

function withScope(body: PlanBody, scope: Scope, includeUnsure: boolean): PlanBody {
  if (body.verb === 'back') return body
  return {
    ...body,
    ...(scope === 'both' ? {} : { only: scope }),
    ...(includeUnsure ? { includeUnsure } : {}),
  }
}

const SCOPES = { both: 'Files and chat', files: 'Only files', chat: 'Only chat' } as const
/** The conversation went on since an operation: then its files can go back alone. */
const OF_OPERATION = { both: SCOPES.both, files: SCOPES.files } as const

function Facts({ plan }: { plan: PlanView }) {
  const changed = plan.files.filter(({ verb }) => verb !== 'skip').length
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {plan.target !== undefined && (
        <>
          <dt className="text-muted">Prompt</dt>
          <dd className="min-w-0 truncate">
            “{plan.target.prompt.split('\n', 1)[0]}”{' '}
            <span className="text-muted">{clock(plan.target.at)}</span>
          </dd>
        </>
      )}
      <dt className="text-muted">Passes</dt>
      <dd className="tabular">
        {count(plan.turns, 'turn')}
        {plan.messages > 0 && ` · ${count(plan.messages, 'message')}`} · {count(changed, 'file')}
      </dd>
    </dl>
  )
}

function Unsure({
  plan,
  included,
  onChange,
}: {
  plan: PlanView
  included: boolean
  onChange: (included: boolean) => void
}) {
  const paths = plan.unsure ?? []
  if (paths.length === 0 && !included) return null
  return (
    <label className="flex gap-2.5 rounded-lg border border-warn-line bg-warn-soft p-3 text-sm">
      <input
        type="checkbox"
        checked={included}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 accent-accent"
      />
      <span>
        Also take changes of which it is not sure that these turns made them
        {paths.length > 0 && (
          <span className="block font-mono text-xs break-all text-muted">{paths.join(', ')}</span>
        )}
      </span>
    </label>
  )
}

function Said({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section className="rounded-lg border border-warn-line bg-warn-soft p-3 text-sm">
      <h3 className="mb-1 flex items-center gap-1.5 text-xs font-semibold text-warn">
        <TriangleAlert size={13} aria-hidden />
        {title}
      </h3>
      <ul className="flex flex-col gap-1">
        {lines.map((line) => (
          <li key={line} className="break-words">
            <InlineCode text={line} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Planning() {
  return (
    <p role="status" className="flex items-center gap-2 py-6 text-sm text-muted">
      <LoaderCircle size={15} aria-hidden className="animate-spin" />
      Looking at the files…
    </p>
  )
}
