import { useNavigate } from '@tanstack/react-router'
import { Camera, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '#failure'
import type { PlanBody, PlanView, ReceiptView } from '#protocol'
import { withBranchNames } from '../branches/branch-name.ts'
import { failureFrom } from '../connection/connection.ts'
import { queries } from '../connection/queries.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { count } from '../words.ts'
import { Failed } from './failed.tsx'
import { ProgressLine, useIsFinishing } from './progress.tsx'
import { PlanFiles } from './plan-files.tsx'
import { chatOnly } from './chat-only.ts'
import { directoryLines, Facts, notCovered, PlanNotes, Unsure } from './plan-notes.tsx'
import { actionOf, sentenceOf, titleOf } from './plan-words.ts'
import { offerDecision, stopAsking, usePlanning, type PlanRequest } from './planning.ts'
import { showReceipt } from './show-receipt.tsx'
import { ThreeWay } from './three-way.tsx'
import { useChoices, type Choices } from './use-choices.ts'
import { useApply, useCancel, usePlan } from './use-plan.ts'

/** Shows the requested plan, and applies it once the user confirms. */
export function PlanDialogs({ project }: { project: string | null }) {
  const wanted = usePlanning((planning) => planning.wanted)
  if (wanted === null) return null
  return <PlanDialog key={JSON.stringify(wanted)} wanted={wanted} project={project} />
}

type Scope = 'both' | 'files' | 'chat'

function PlanDialog({ wanted, project }: { wanted: PlanRequest; project: string | null }) {
  const [scope, setScope] = useState<Scope>(scopeOf(wanted.body))
  const [unsure, setUnsure] = useState(false)
  /** The file in conflict whose versions are shown instead of the plan. */
  const [compared, setCompared] = useState<string | null>(null)
  const body = withScope(wanted.body, scope, unsure)
  const { planned, again } = usePlan({ ...wanted, body })
  const navigate = useNavigate()
  const finish = (receipt: ReceiptView, chosen: Choices = {}): void => {
    stopAsking()
    const marked = Object.keys(chosen).filter((path) => chosen[path]!.includes('mark'))
    showReceipt(receipt, project, marked)
    if (receipt.nothing === undefined) wanted.onDone?.()
    const made = receipt.verb === 'branch' ? receipt.branches?.[0] : undefined
    if (made !== undefined) void navigate({ to: '/s/$session', params: { session: made.id } })
  }
  const apply = useApply(finish)
  const plan = planned.kind === 'plan' ? withBranchNames(planned.plan) : null
  const { choices, choosing, changed, choose, choosePlace } = useChoices(plan)

  // No question if there is nothing to do, or if only the conversation moves.
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
  // `useCancel` already told the user about a cancelled plan.
  const error = isInterrupted(apply.error) ? null : apply.error
  const conflicts = plan?.files.filter(({ verb }) => verb === 'conflict') ?? []
  // A file may be called `constructor`, which every object inherits.
  const undecided = conflicts.filter(({ path }) => !Object.hasOwn(choices, path)).length
  const file = conflicts.find(({ path }) => path === compared)
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
  const back = useBackToPlan(compared, setCompared)
  const why = isPending
    ? 'Working…'
    : plan === null
      ? 'There is no plan yet.'
      : undecided > 0
        ? `Decide about ${count(undecided, 'file')} first.`
        : undefined
  const go = (): void => {
    if (plan === null || why !== undefined) return
    back()
    mutate({ plan, choices })
  }
  useGoKey(go)
  // Only once, when the plan arrives: later the user may have moved the focus.
  const primary = useRef<HTMLButtonElement>(null)
  const isPlanned = plan !== null
  const isPlain = conflicts.length === 0
  useEffect(() => {
    if (isPlanned && isPlain) primary.current?.focus()
  }, [isPlanned, isPlain])
  const failure = error === null ? null : failureFrom(error)
  const isOld = isStale(failure) || (planned.kind === 'failed' && isStale(planned.failure))
  useEffect(() => {
    // The view behind the dialog, where the user chose this, is stale too.
    if (isOld) void queries.invalidateQueries({ queryKey: ['time'] })
  }, [isOld])
  if (silent && error === null) return null

  const planAgain = (): void => {
    apply.reset()
    again()
  }
  const inPlan = file === undefined
  return (
    <Dialog
      title={inPlan ? titleOf(wanted.body, plan) : `Conflict in ${file.path}`}
      width={inPlan ? 'normal' : 'full'}
      onClose={inPlan ? leave : back}
      aside={
        plan === null ? null : (
          <span className="text-2xs text-faint">
            {file !== undefined && `file ${conflicts.indexOf(file) + 1} of ${conflicts.length}`}
          </span>
        )
      }
      footer={
        <>
          <p className="flex min-w-0 flex-1 items-center gap-2 text-xs text-muted">
            <Camera size={14} aria-hidden className="shrink-0" />
            A snapshot is taken first, so this can be undone.
          </p>
          <Button
            onClick={inPlan ? leave : back}
            unavailable={
              cancel.isPending
                ? 'Rolling back…'
                : isPending && isFinishing
                  ? 'It is almost done.'
                  : undefined
            }
          >
            {inPlan ? 'Cancel' : 'Back to the plan'} <Key>esc</Key>
          </Button>
          <Button ref={primary} variant="primary" onClick={go} unavailable={why}>
            {isPending && <LoaderCircle size={14} className="animate-spin" />}
            {isPending ? 'Working…' : actionOf(wanted.body, plan)}
          </Button>
        </>
      }
    >
      {plan !== null && !inPlan ? (
        <ThreeWay
          key={`${plan.id} ${file.path}`}
          plan={plan}
          file={file}
          choice={Object.hasOwn(choosing, file.path) ? choosing[file.path] : undefined}
          onChoose={(choice) => choose(file, choice)}
          onChoosePlace={(place, choice) => choosePlace(file, place, choice)}
          onStep={(step) => {
            const next = conflicts[conflicts.indexOf(file) + step]
            if (next !== undefined) setCompared(next.path)
          }}
        />
      ) : (
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
          {failure !== null && (
            <Failed failure={failure} onRetry={isStale(failure) ? planAgain : go} />
          )}
          {planned.kind === 'failed' && <Failed failure={planned.failure} onRetry={again} />}
          {planned.kind === 'waiting' && <Planning />}
          {plan !== null && (
            <>
              <p className="text-base">{sentenceOf(plan, wanted.body)}</p>
              <Facts plan={plan} />
              <PlanNotes
                title="Choose again"
                lines={changed.map((path) => `\`${path}\` changed since you chose.`)}
              />
              {plan.files.length > 0 && (
                <PlanFiles
                  plan={plan}
                  choices={choosing}
                  onChoose={choose}
                  onCompare={({ path }) => setCompared(path)}
                />
              )}
              <Unsure plan={plan} included={unsure} onChange={setUnsure} />
              <PlanNotes
                title="Check"
                lines={[...plan.warnings, ...(scope === 'chat' ? chatOnly(plan) : [])]}
              />
              <PlanNotes title="Directories" lines={directoryLines(plan)} />
              <PlanNotes title="Not covered" lines={notCovered(plan)} />
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Returns from a file to the plan, and focuses the button that opened the file. */
function useBackToPlan(compared: string | null, set: (path: string | null) => void): () => void {
  const left = useRef<string | null>(null)
  useEffect(() => {
    if (compared !== null) {
      left.current = compared
      return
    }
    const path = left.current
    left.current = null
    if (path === null) return
    const buttons = document.querySelectorAll<HTMLElement>('dialog [data-compare]')
    ;[...buttons].find(({ dataset }) => dataset['compare'] === path)?.focus()
  }, [compared])
  return () => set(null)
}

/** Ctrl+Enter applies the plan, wherever in the dialog the focus is. */
function useGoKey(go: () => void): void {
  useKeyDown((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    event.preventDefault()
    go()
  })
}

function isInterrupted(error: unknown): boolean {
  return error !== null && failureFrom(error).code === 'interrupted'
}

/** The plan on screen is not what would be done now. */
function isStale(failure: Failure | null): boolean {
  const code = failure?.code
  return code === 'plan-stale' || code === 'plan-not-found'
}

function asksNothing(plan: PlanView, scope: Scope): boolean {
  return (
    plan.verb !== 'branch' &&
    plan.files.every(({ verb }) => verb === 'skip') &&
    (plan.directories ?? []).length === 0 &&
    // Ask about unsure changes. Unless only the chat moves, tell what stays.
    (plan.unsure ?? []).length === 0 &&
    (scope === 'chat' || plan.notCovered.length + plan.warnings.length === 0) &&
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
/** If the conversation went on since an operation, its files can still go back alone. */
const OF_OPERATION = { both: SCOPES.both, files: SCOPES.files } as const

function Planning() {
  return (
    <p role="status" className="flex items-center gap-2 py-6 text-sm text-muted">
      <LoaderCircle size={15} aria-hidden className="animate-spin" />
      Checking the files…
    </p>
  )
}
