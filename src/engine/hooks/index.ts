/** Retake in the agent's settings, and what hooks and the shell tell each other. */
export { claimEvent } from './claim-event.ts'
export {
  anyHooksInstalled,
  hooksInstalled,
  hookSourcesOf,
  planHooks,
  planHooksRemoval,
} from './install.ts'
export {
  type LauncherPlan,
  launcherText,
  makeExecutable,
  planLauncher,
  planLauncherRemoval,
} from './launcher.ts'
export { type AliasPlan, planAlias } from './shell-alias.ts'
export { dropReopenedNote, noteForReopened } from './reopened-note.ts'
export { markPending, unmarkPending } from './pending-mark.ts'
