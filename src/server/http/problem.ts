import { Failure, type FailureCode } from '#failure'
import { errorView, inRequest } from '#protocol'
import { securityHeaders } from './headers.ts'

/** Codes with a status other than 409, which means that the current state does not allow it. */
const STATUS: Partial<Record<FailureCode, number>> = {
  usage: 400,
  'body-invalid': 400,
  'id-invalid': 400,
  'already-at-start': 400,
  'turn-ambiguous': 400,
  'session-ambiguous': 400,
  'operation-ambiguous': 400,
  'branch-ambiguous': 400,
  'name-not-possible': 400,
  'outside-project': 400,
  'code-invalid': 401,
  'sign-in-invalid': 401,
  'no-session': 404,
  'session-not-found': 404,
  'turn-not-found': 404,
  'message-not-found': 404,
  'branch-not-found': 404,
  'checkpoint-not-found': 404,
  'stash-not-found': 404,
  'operation-not-found': 404,
  'operation-unknown': 404,
  'plan-not-found': 404,
  'run-not-found': 404,
  'approval-not-found': 404,
  'file-not-found': 404,
  'content-not-found': 404,
  'path-not-known': 404,
  'project-missing': 404,
  'not-found': 404,
  'voice-unreachable': 502,
  'voice-failed': 502,
  'voice-refused': 502,
  'voice-quota': 503,
  'body-too-large': 413,
  'too-many-requests': 429,
  'too-many-clients': 503,
  'internal-error': 500,
  'store-damaged': 500,
  'disk-error': 500,
  'no-space': 507,
}

const TITLES: Record<number, string> = {
  400: 'Invalid request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict with the current state',
  413: 'Too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Failed',
  502: 'The speech service failed',
  503: 'Not available now',
  505: 'HTTP version not supported',
  507: 'The disk is full',
}

export function statusOf(code: FailureCode): number {
  return STATUS[code] ?? 409
}

/**
 * A Failure as `application/problem+json`: the same as `--json` prints, with hints for requests.
 */
export function problem(failure: Failure, status: number = statusOf(failure.code)): Response {
  return new Response(problemText(errorView(failure, inRequest), status), {
    status,
    headers: { ...securityHeaders, 'Content-Type': 'application/problem+json' },
  })
}

export function problemText(error: { code: string; message: string }, status: number): string {
  return JSON.stringify({
    schema: 'retake.error/1',
    type: `urn:retake:error:${error.code}`,
    title: TITLES[status] ?? 'Failed',
    status,
    detail: error.message,
    ...error,
  })
}

/** Any other error is a bug of ours. Its text may contain anything, so clients never get it. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure('internal-error', 'Retake failed in an unexpected way.', {
    hint: 'The server’s log has the details.',
    cause: error,
  })
}
