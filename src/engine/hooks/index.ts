/** Installs hooks, launcher and alias, and keeps the files that hooks and Retake share. */
export { claimEvent } from './claim-event.ts'
export {
  type AgentHooksPlan,
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
export { type AliasPlan, findAlias, planAlias } from './shell-alias.ts'
export { dropReopenedNote, hasReopenedNote, noteForReopened } from './reopened-note.ts'
export { markPending, unmarkPending } from './pending-mark.ts'
