import { useMutation, useQuery, type UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Failure } from '#failure'
import type { CancelView, PlanView, ReceiptView } from '#protocol'
import { untilAccepted } from '../composer/follow-run.ts'
import { client, failureFrom } from '../connection/connection.ts'
import { refreshSession, settled } from '../connection/refresh.ts'
import { notify } from '../ui/toasts.tsx'
import type { Choices } from './use-choices.ts'
import { stopAsking, type PlanRequest } from './planning.ts'
import { showFailure } from './show-receipt.tsx'

export type Planned =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'nothing'; readonly receipt: ReceiptView }
  | { readonly kind: 'plan'; readonly plan: PlanView }

/** Plans the operation, again whenever it changes. Never cached: files may change at any time. */
export function usePlan({ session, body }: PlanRequest): { planned: Planned; again: () => void } {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['plan', session, body],
    queryFn: () => client().plan({ session, ...body }),
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const [isAgain, setAgain] = useState(false)
  const again = (): void => {
    setAgain(true)
    void refetch().finally(() => setAgain(false))
  }
  if (error !== null && !isFetching)
    return { planned: { kind: 'failed', failure: failureFrom(error) }, again }
  // A plan that is being replaced must not be confirmed.
  if (data === undefined || isAgain) return { planned: { kind: 'waiting' }, again }
  if (data.schema === 'retake.receipt/1')
    return { planned: { kind: 'nothing', receipt: data }, again }
  return { planned: { kind: 'plan', plan: data }, again }
}

export interface Decided {
  readonly plan: PlanView
  readonly choices: Choices
}

/** Milliseconds. A session that is slow to read must not delay the toast any longer. */
const MAX_WAIT_MS = 1500

export function useApply(
  onDone: (receipt: ReceiptView, choices: Decided['choices']) => void,
): UseMutationResult<ReceiptView, unknown, Decided> {
  return useMutation({
    async mutationFn({ plan, choices }: Decided) {
      await untilAccepted(plan.session)
      return client().apply({
        plan: plan.id,
        confirmed: true,
        ...(Object.keys(choices).length === 0 ? {} : { choices: { ...choices } }),
      })
    },
    async onSuccess(receipt, { choices }) {
      refreshSession(receipt.session, 'everything')
      // Show the toast together with the updated turns, not before them.
      await Promise.race([
        settled(receipt.session),
        new Promise((go) => setTimeout(go, MAX_WAIT_MS)),
      ])
      onDone(receipt, choices)
    },
  })
}

/** Resolves when the plan ends. If it was too late to cancel, `useApply` reports the result. */
export function useCancel(): UseMutationResult<CancelView, unknown, string> {
  return useMutation({
    mutationFn: (plan: string) => client().cancel({ plan }),
    onSuccess({ cancelled }) {
      if (!cancelled) return
      stopAsking()
      notify({ kind: 'said', title: 'Cancelled. Everything is as it was.' })
    },
    onError: (error) => showFailure(error),
  })
}
