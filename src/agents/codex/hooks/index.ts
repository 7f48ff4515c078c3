/** Retake's hooks in Codex's `hooks.json`, and whether Codex runs them. */
export { codexCapture } from './install.ts'
