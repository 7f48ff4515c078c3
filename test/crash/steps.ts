/** Steps of a conversation that is kept in files, as adapters of agents plan them. */
export { appendStep, fileSteps, relocateStep } from '../../src/agents/index.ts'
