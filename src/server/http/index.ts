/**
 * The HTTP layer: listener, headers, limits, bodies, errors as problems, the built page, metrics,
 * log.
 */
export { pageHeaders, securityHeaders } from './headers.ts'
export { makeLimit } from './limits.ts'
export { listen } from './listen.ts'
export { openLog, type ServerLog } from './log.ts'
export { type Metrics, openMetrics } from './metrics.ts'
export { isPagePath, readPage, screens } from './page.ts'
export { failureOf, problem, problemText, statusOf } from './problem.ts'
export { LARGEST_PROMPT, readBody } from './read-body.ts'
