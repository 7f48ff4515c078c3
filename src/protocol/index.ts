/**
 * What others build on: the JSON of `--json` and of the server's answers. Names are fixed, fields
 * may be added. Each has a JSON Schema in docs/schemas.
 */
export {
  branchesView,
  checkpointsView,
  undoStateView,
  type BranchesView,
  type CheckpointsView,
  type UndoStateView,
} from './branches-view.ts'
export { errorView, type ErrorView } from './error-view.ts'
export { gcView, type GcView } from './gc-view.ts'
export {
  checkView,
  diffView,
  operationView,
  operationsView,
  whereView,
  type OperationView,
} from './history-view.ts'
export { logView, type LogView } from './log-view.ts'
export { planView, receiptView, type PlanView, type ReceiptView } from './plan-view.ts'
export { sessionsView, type SessionsView } from './sessions-view.ts'
export { settingsView, type SettingsView } from './settings-view.ts'
export { showView, type ShowView } from './show-view.ts'
export { statusView, type StatusView } from './status-view.ts'
export { treeView, type TreeView } from './tree-view.ts'
