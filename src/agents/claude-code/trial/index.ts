/** Tests whether an unmeasured version obeys Retake's lines. */
export { openProofs } from './proofs.ts'
