import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { PlanBody, PlanView } from '#protocol'
import { failureFrom } from '../connection/connection.ts'
import { Button } from '../ui/button.tsx'
import { actionOf, sentenceOf } from './plan-words.ts'
import { ask } from './planning.ts'
import { isSmall } from './small-plan.ts'
import { showFailure, showReceipt } from './show-receipt.tsx'
import { useApply, usePlan } from './use-plan.ts'

interface InlinePlanProps {
  readonly session: string
  readonly body: PlanBody
  readonly project: string | null
  readonly onClose: () => void
  /** Called after the plan was applied. */
  readonly onDone?: () => void
}

/** A plan that fits into one line, with its buttons; a larger one opens the dialog. */
export function InlinePlan({ session, body, project, onClose, onDone }: InlinePlanProps) {
  const { planned } = usePlan({ session, body })
  const apply = useApply((receipt) => {
    onClose()
    onDone?.()
    showReceipt(receipt, project)
  })
  const plan = planned.kind === 'plan' ? planned.plan : null
  const showPlan = (): void => {
    onClose()
    ask({ session, body, byKey: true })
  }
  const isLarge = plan !== null && !fitsInLine(plan)
  useEffect(() => {
    if (planned.kind === 'nothing') showReceipt(planned.receipt, project)
    if (isLarge || planned.kind === 'failed') ask({ session, body })
    if (isLarge || planned.kind === 'failed' || planned.kind === 'nothing') onClose()
  })
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const around = group.current?.closest<HTMLElement>('[data-turn]')
    // Return the focus to the turn on close: without a focused turn, keys act on none.
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) around?.focus({ preventScroll: true })
      })
    }
  }, [])
  const primary = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (plan !== null) primary.current?.focus()
  }, [plan !== null])
  useEffect(() => {
    if (apply.error === null) return
    onClose()
    // The plan is stale: the dialog makes a new one and shows it.
    if (failureFrom(apply.error).code === 'plan-stale') ask({ session, body })
    else showFailure(apply.error)
  })
  return (
    <div
      ref={group}
      role="group"
      aria-label="Confirm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
      className="flex flex-wrap items-center gap-2 rounded-lg border border-accent-line bg-accent-soft px-3 py-1.5 text-xs"
    >
      {plan === null || isLarge ? (
        <p role="status" className="flex items-center gap-2 text-muted">
          <LoaderCircle size={13} aria-hidden className="animate-spin" />
          Checking the files…
        </p>
      ) : (
        <>
          <p className="min-w-0 flex-1 basis-60 text-ink">{sentenceOf(plan, body)}</p>
          <Button size="small" variant="quiet" onClick={showPlan}>
            Show plan…
          </Button>
          <Button size="small" onClick={onClose}>
            Cancel
          </Button>
          <Button
            ref={primary}
            size="small"
            variant="primary"
            unavailable={apply.isPending ? 'Working…' : undefined}
            onClick={() => apply.mutate({ plan, choices: {} })}
          >
            {actionOf(body, plan)}
          </Button>
        </>
      )}
    </div>
  )
}

/** One line has no room for what the plan leaves alone. */
function fitsInLine(plan: PlanView): boolean {
  return isSmall(plan) && plan.left.length === 0
}
