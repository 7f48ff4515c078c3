/**
 * What does the work of all verbs but those that bring large packages with them. One thing to load:
 * the engine is in all of them, and every further file costs a start more than it saves.
 */
export { keepRead, openContext } from '../context.ts'
export * as branching from './branches.ts'
export * as caring from './care.ts'
export * as changes from './changes.ts'
export * as chatting from './chat.ts'
export * as completing from './complete-words.ts'
export * as forgetting from './forget.ts'
export * as answering from './hook.ts'
export * as installing from './install.ts'
export * as placing from './project.ts'
export * as reading from './read.ts'
export * as searching from './search.ts'
export * as setting from './settings.ts'
export * as stashing from './stash.ts'
export * as telling from './history.ts'
