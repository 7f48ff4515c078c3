/** Retake's hooks in the agent's settings. */
export {
  blockPrompt,
  hasPlugin,
  hooksBlock,
  hooksInstalled,
  hookSources,
  planInstall,
  planUninstall,
} from './install.ts'
