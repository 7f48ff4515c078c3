import type { FailureCode } from '#failure'

/** Stable, because scripts rely on them. Failure codes that are not listed exit with 1. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  conflict: 4,
  busy: 5,
  notFound: 6,
  interrupted: 130,
} as const

const BY_FAILURE: Partial<Record<FailureCode, number>> = {
  usage: exitCodes.usage,
  'turn-ambiguous': exitCodes.usage,
  'session-ambiguous': exitCodes.usage,
  'branch-ambiguous': exitCodes.usage,
  'name-not-possible': exitCodes.usage,
  conflict: exitCodes.conflict,
  'branch-in-use': exitCodes.conflict,
  'title-changed': exitCodes.conflict,
  'other-git-branch': exitCodes.conflict,
  'removes-outside-edits': exitCodes.conflict,
  'session-busy': exitCodes.busy,
  'session-live': exitCodes.busy,
  'project-locked': exitCodes.busy,
  'store-busy': exitCodes.busy,
  'no-session': exitCodes.notFound,
  'session-not-found': exitCodes.notFound,
  'turn-not-found': exitCodes.notFound,
  'branch-not-found': exitCodes.notFound,
  'checkpoint-not-found': exitCodes.notFound,
  'stash-not-found': exitCodes.notFound,
  'not-found': exitCodes.notFound,
  'operation-not-found': exitCodes.notFound,
  'content-not-found': exitCodes.notFound,
  'path-not-known': exitCodes.notFound,
  'project-missing': exitCodes.notFound,
  interrupted: exitCodes.interrupted,
}

export function exitCodeOf(code: FailureCode): number {
  return BY_FAILURE[code] ?? exitCodes.failed
}
