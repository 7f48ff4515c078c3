import type { Remedy } from '#failure'
import type { VoiceLine, VoiceLogReport } from '#timeline'

export interface VoiceLogView {
  schema: 'retake.voice-log/1'
  session: string
  lines: VoiceLine[]
}

/** Whether speech is available, and if not, why. */
export interface VoiceView {
  schema: 'retake.voice/1'
  on: boolean
  /** Where the key is; the key itself is never shown. */
  key: 'environment' | 'file' | 'none'
  model: string
  /** The only origin besides Retake that the page may connect to. */
  origin: string
  why?: string
  /** The same as text and acts. */
  remedy?: Remedy
}

export interface VoiceTokenView {
  schema: 'retake.voice-token/1'
  /** Opens one conversation, within a minute. */
  token: string
  expiresAt: string
  model: string
  origin: string
}

export interface VoiceLineBody {
  by: VoiceLine['by']
  text: string
}

export function voiceLogView({ session, lines }: VoiceLogReport): VoiceLogView {
  return { schema: 'retake.voice-log/1', session: session.id, lines: [...lines] }
}
