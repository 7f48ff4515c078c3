/**
 * The journal makes operations atomic: an operation is never half done.
 *
 * `applyPlan` changes the project's files and the conversation together. It saves what it will
 * replace, records what it is about to do, and stages every new file. Only then does it change the
 * first path. It commits the caller's rows in the same transaction. After a crash, `recover`
 * finishes the operation or rolls it back. Nothing that others write meanwhile is lost.
 *
 * The journal knows nothing of turns or agents. It moves values at paths, and calls the agent's
 * `StepRunner` for the conversation.
 */
export { dropAside } from './drop-aside.ts'
export { applyPlan } from './apply.ts'
export type { ApplyOutcome, Journal, KeptPath, OperationPlan, Refusal, Running } from './journal.ts'
export type { Change, DirectoryRequests } from './order.ts'
export { recover, type Recovered } from './recover.ts'
