/** From a ledger and the present files to a plan, or a reason why there is none. */
export { filesPath, filesPlace } from './files-place.ts'
export { planFacts } from './plan-facts.ts'
export { findUndoable, recordOperation } from './plan-operation.ts'
export type {
  Ask,
  ChangedBy,
  FilePlan,
  FileReason,
  FileVerb,
  NotCovered,
  NothingToDo,
  Outcome,
  Plan,
  Refused,
  UnsureLink,
  Warning,
} from './plan-result.ts'
export { isBeforeFirst } from './plan-route.ts'
export type {
  CellChange,
  LatestMoveChange,
  Ledger,
  LineTurn,
  MarkVerb,
  Operation,
  Place,
  PlanOptions,
  PlanRequest,
  PlanVerb,
  Target,
  World,
} from './plan-world.ts'
export { makePlan, readsOf } from './plan.ts'
