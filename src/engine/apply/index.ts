/** Applies plans under the lock, settles pending moves, and makes receipts. */
export { applyOperation, recoverProject } from './apply-operation.ts'
export { commandAfterStop } from './command-after-stop.ts'
export { openForChange, type SessionChange } from './open-for-change.ts'
export { nothingPlan, nothingReceipt } from './nothing-receipt.ts'
export { receiptOf } from './receipt.ts'
export { reopenWhenIdle } from './reopen.ts'
export {
  type LeaveOptions,
  type PendingNews,
  type SettledMove,
  settleMoves,
  settleSession,
  takePendingNews,
} from './settle-moves.ts'
