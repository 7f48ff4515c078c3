import type { VoiceLine, VoiceLogReport } from '#timeline'

export interface VoiceLogView {
  schema: 'retake.voice-log/1'
  session: string
  lines: VoiceLine[]
}

export interface VoiceLineBody {
  by: VoiceLine['by']
  text: string
}

export function voiceLogView({ session, lines }: VoiceLogReport): VoiceLogView {
  return { schema: 'retake.voice-log/1', session: session.id, lines: [...lines] }
}
