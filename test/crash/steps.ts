/** Steps that agent adapters plan for conversations kept in files. */
export { appendStep, fileSteps, relocateStep } from '../../src/agents/index.ts'
