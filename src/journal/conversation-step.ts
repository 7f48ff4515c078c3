import {
  canRelocate,
  errnoOf,
  lookAtAppend,
  lookAtRelocation,
  performAppend,
  performRelocation,
  prepareAppend,
  type Append,
  type AppendProgress,
  type Disk,
  type Relocation,
} from '#disk'
import type { OperationPlan } from './journal.ts'

/** The step as it will be taken; null when there is none, undefined when the files have changed. */
export function prepareConversation(
  disk: Disk,
  { conversation }: OperationPlan,
): Append | Relocation | null | undefined {
  if (conversation === undefined) return null
  try {
    if ('moves' in conversation) {
      const { kind, moves, expected } = conversation
      return canRelocate(disk, conversation) ? { kind, moves, expected } : undefined
    }
    const { path, inode, size, bytes } = conversation
    return prepareAppend(disk, path, { inode, size }, bytes) ?? undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

export function performConversation(disk: Disk, step: Append | Relocation): void {
  if ('moves' in step) performRelocation(disk, step)
  else performAppend(disk, step)
}

export function lookAtConversation(disk: Disk, step: Append | Relocation): AppendProgress {
  return 'moves' in step ? lookAtRelocation(disk, step) : lookAtAppend(disk, step)
}
