import { useMutation, useQuery, type UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Failure } from '#failure'
import type { CancelView, PlanView, ReceiptView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { refreshSession, settled } from '../connection/queries.ts'
import { notify } from '../ui/toasts.tsx'
import type { Choices } from './use-choices.ts'
import { stopAsking, type Wanted } from './planning.ts'
import { tellFailure } from './tell-receipt.tsx'

export type Planned =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'nothing'; readonly receipt: ReceiptView }
  | { readonly kind: 'plan'; readonly plan: PlanView }

/** Plans what is wanted, again whenever the wish changes. Nothing is kept: the world moves. */
export function usePlan({ session, body }: Wanted): { planned: Planned; again: () => void } {
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
  // The plan that no longer holds is nothing to say yes to.
  if (data === undefined || isAgain) return { planned: { kind: 'waiting' }, again }
  if (data.schema === 'retake.receipt/1')
    return { planned: { kind: 'nothing', receipt: data }, again }
  return { planned: { kind: 'plan', plan: data }, again }
}

export interface Decided {
  readonly plan: PlanView
  readonly choices: Choices
}

/** A session that takes long to be read keeps nobody waiting for the notice. */
const LONGEST = 1500

export function useApply(
  onDone: (receipt: ReceiptView, choices: Decided['choices']) => void,
): UseMutationResult<ReceiptView, unknown, Decided> {
  return useMutation({
    mutationFn: ({ plan, choices }: Decided) =>
      client().apply({
        plan: plan.id,
        confirmed: true,
        ...(Object.keys(choices).length === 0 ? {} : { choices: { ...choices } }),
      }),
    async onSuccess(receipt, { choices }) {
      refreshSession(receipt.session, 'everything')
      // What is said to be done is to be seen: the notice comes with the turns, not before them.
      await Promise.race([settled(receipt.session), new Promise((go) => setTimeout(go, LONGEST))])
      onDone(receipt, choices)
    },
  })
}

/** Settles when it has ended; where there was no way back any more it is done, and says so itself. */
export function useCancel(): UseMutationResult<CancelView, unknown, string> {
  return useMutation({
    mutationFn: (plan: string) => client().cancel({ plan }),
    onSuccess({ cancelled }) {
      if (!cancelled) return
      stopAsking()
      notify({ kind: 'said', title: 'Cancelled. Everything is as it was.' })
    },
    onError: (error) => tellFailure(error),
  })
}
