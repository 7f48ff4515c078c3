/** Whether a version that was not measured obeys them. */
export { openProofs } from './proofs.ts'
