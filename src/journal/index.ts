/**
 * The journal makes an operation impossible to half-do.
 *
 * `applyPlan` changes the project's files and the conversation together: it keeps what it will
 * displace, writes down what it is about to do, lays every new file ready, and only then changes
 * the first path; the caller's rows are committed in the same transaction. After a crash `recover`
 * finishes or takes back what was begun. What anybody else writes meanwhile is never lost.
 *
 * It knows nothing of turns or agents: it moves values at paths, and asks the agent of a
 * conversation to take its step.
 */
export { dropAside } from './drop-aside.ts'
export { applyPlan } from './apply.ts'
export type { ApplyOutcome, Journal, KeptPath, OperationPlan, Refusal, Running } from './journal.ts'
export type { Change, DirectoryWishes } from './order.ts'
export { recover, type Recovered } from './recover.ts'
