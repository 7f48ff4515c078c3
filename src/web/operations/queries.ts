import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { OperationShowView, OperationsView } from '#protocol'
import { client } from '../connection/connection.ts'

export function useOperations(
  session: string | undefined,
  limit: number,
): UseQueryResult<OperationsView> {
  return useQuery({
    queryKey: ['time', 'operations', session ?? null, limit],
    queryFn: () => client().operations({ limit, ...(session === undefined ? {} : { session }) }),
    placeholderData: keepPreviousData,
  })
}

export function operationKey(ref: string): readonly unknown[] {
  return ['time', 'operation', ref]
}

/** Compares files with now, so it is loaded again each time. */
export function useOperation(ref: string): UseQueryResult<OperationShowView> {
  return useQuery({
    queryKey: operationKey(ref),
    queryFn: () => client().operation({ operation: ref }),
    staleTime: 0,
    retry: false,
  })
}
