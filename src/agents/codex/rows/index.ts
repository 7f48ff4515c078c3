/** Rollouts as outlines: reads each byte once, parses few rows, and names damage. */
export { field, integer, string } from './field.ts'
export { isContext, textOf } from './fold-row.ts'
export { glanceMeta, metaOf as readMeta } from './read-meta.ts'
export { readRollout } from './read-rollout.ts'
export { isCompressed, openRollout, openRolloutHead, plainPath } from './open-rollout.ts'
export { rootsOf } from './read-roots.ts'
export { parseRow, readRow, type Row } from './read-row.ts'
export {
  isThreadId,
  parseRolloutName,
  rolloutName,
  timeOfId,
  type RolloutName,
} from './rollout-name.ts'
export type { HistoryBase, Rollout, RolloutMeta, RolloutTurn } from './rollout.ts'
