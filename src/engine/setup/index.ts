/** The demo, the check of the installation, the voice key and the voice log. */
export { examine, type Finding } from './examine.ts'
export { readShapes } from './shapes.ts'
export { makeDemo } from './make-demo.ts'
export { findVoiceKey, type VoiceKey, writeVoiceKey } from './voice-key.ts'
export { appendToVoiceLog, deleteVoiceLog, readVoiceLog } from './voice-log.ts'
