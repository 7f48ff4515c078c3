/** Retake's hooks in the agent's settings. */
export {
  hasPlugin,
  hooksDisabled,
  hooksInstalled,
  hookSources,
  planInstall,
  planUninstall,
} from './install.ts'
