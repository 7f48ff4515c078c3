/** What a request may say, what the server has at hand to answer it, and how a plan is carried out. */
export { apply, applyWhile, plan, planAndApply, withSession } from './perform.ts'
export { openPlans } from './plans.ts'
export { bodies, params, queries, readReveal } from './requests.ts'
export { schemaComponents, type SchemaName } from './schemas.ts'
export type { Definition, Definitions, Served } from './served.ts'
export { refuseRunning, stopRun } from './stop-run.ts'
