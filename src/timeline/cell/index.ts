/** What one turn did to one path, and how that effect moves out of the file and in again. */
export { addLink, cellsFromLinks } from './cell-links.ts'
export { carryOver, type MoveConflictReason, type State, valueAt } from './cell-move.ts'
export {
  type Author,
  type Cell,
  type CellId,
  type Change,
  changesNothing,
  type DirectoryChange,
  type Doubt,
  type FilesState,
  filesStateOf,
  isOn,
  type Link,
  type OperationId,
  pathsOf,
  currentSide,
  stayOut,
  type Transition,
  wasIn,
  whyUnknown,
} from './cell.ts'
export {
  forceCells,
  placesOf,
  settleMoves,
  sidesOf,
  threeOf,
  type WritingChoice,
} from './move-choice.ts'
export {
  type FileChange,
  type Fold,
  type Folded,
  foldGroup,
  isAsLeft,
  type FoldInput,
  type LatestMove,
} from './move-fold.ts'
export { lifeAfter } from './file-life.ts'
export { groupMoves, type Move, type MoveGroup } from './move-group.ts'
export { isSuperseded, turnSuperseded } from './supersede.ts'
