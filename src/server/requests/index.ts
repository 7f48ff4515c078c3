/** Schemas of requests, what handlers get, and how plans are made and applied. */
export { apply, applyWhile, plan, planAndApply, withSession } from './perform.ts'
export { openPlans } from './plans.ts'
export { bodies, params, queries, readReveal } from './requests.ts'
export { schemaComponents, type SchemaName } from './schemas.ts'
export type { Definition, Definitions, Served } from './served.ts'
export { refuseRunning, stopRun } from './stop-run.ts'
