/**
 * The implementations of all commands except those that need large packages. They share one module,
 * because every further file slows the start more than lazy loading saves.
 */
export { keepRead, openContext } from '../context.ts'
export * as branches from './branches.ts'
export * as storage from './storage.ts'
export * as changes from './changes.ts'
export * as chat from './chat.ts'
export * as completion from './complete-words.ts'
export * as forget from './forget.ts'
export * as hook from './hook.ts'
export * as install from './install.ts'
export * as project from './project.ts'
export * as read from './read.ts'
export * as sessions from './sessions.ts'
export * as search from './search.ts'
export * as settings from './settings.ts'
export * as stash from './stash.ts'
export * as history from './history.ts'
