/** The demo, the examination of a machine, and the voice. */
export { examine, type Finding } from './examine.ts'
export { makeDemo } from './make-demo.ts'
export { findVoiceKey, type VoiceKey, writeVoiceKey } from './voice-key.ts'
export { appendToVoiceLog, deleteVoiceLog, readVoiceLog } from './voice-log.ts'
