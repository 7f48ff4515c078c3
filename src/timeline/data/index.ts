/** Turns, branches, values of files, and how turns become a tree. */
export type { Contents } from './contents.ts'
export {
  type BranchMark,
  type Checkpoint,
  type FactChange,
  markOf,
  type Marks,
  noMarks,
  plainBranch,
} from './marks.ts'
export { foldName, FOLDS_ALL, type NameFolding } from './name-folding.ts'
export { type BadName, checkName } from './name-rules.ts'
export type { Progress, ProgressPhase } from './progress.ts'
export { rankPaths } from './rank-paths.ts'
export { shortId } from './short-id.ts'
export { findRetries, firstApart } from './retries.ts'
export {
  addTokens,
  editsOf,
  type Moment,
  noTokens,
  type Piece,
  type Recorded,
  type RecordedEdit,
  type Step,
  type StepKind,
  stepsOf,
  type Subagent,
  type Tokens,
  tokensOf,
  unknownEffects,
} from './step.ts'
export {
  type Branch,
  buildTree,
  depthOf,
  type KnownOfTree,
  numberOf,
  pathTo,
  stateOf,
  type Tree,
  turnsOnlyOf,
  type TurnState,
} from './tree.ts'
export { type Absorbed, isStart, START, type Turn, type TurnId, type TurnName } from './turn.ts'
export {
  absent,
  type ContentId,
  type FileValue,
  type ProjectPath,
  sameValue,
  type SymlinkValue,
  type Value,
} from './value.ts'
