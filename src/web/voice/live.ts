import type { LiveServerMessage, Session } from '@google/genai/web'
import { voiceInstruction, voiceTools, type VoiceTokenView } from '#protocol'
import { guardLive } from './guard-live.ts'
import type { Live, Unsent } from './live-connection.ts'
import { fromBase64, toBase64, UP } from './pcm.ts'

export interface LiveEvents {
  /** Pieces of what was heard, and of what the model says. */
  onHeard(text: string): void
  onSaid(text: string): void
  onAudio(pcm: Int16Array): void
  /** The model has finished speaking. */
  onTurnEnd(): void
  /** The user interrupted the model. */
  onInterrupted(): void
  onCall(call: { readonly id: string; readonly name: string; readonly args: object }): void
  onCallsCancelled(ids: readonly string[]): void
  /** With this handle the conversation can continue over another connection. */
  onHandle(handle: string): void
  /** The service will close this connection soon. */
  onGoAway(): void
  onClosed(code: number, reason: string): void
  /** The connection was already closing, so this was not sent. */
  onUnsent(unsent: Unsent): void
}

/** Loads the official client only when the user speaks: it is larger than the page. */
export async function openLive(
  { token, origin, model }: VoiceTokenView,
  handle: string | null,
  events: LiveEvents,
): Promise<Live> {
  const { GoogleGenAI, Modality } = await import('@google/genai/web')
  const service = new GoogleGenAI({
    apiKey: token,
    httpOptions: { baseUrl: origin, apiVersion: 'v1alpha' },
  })
  // The client waits forever if the connection fails, so race it against the close event.
  const failed = Promise.withResolvers<never>()
  let isOpen = false
  const session = await Promise.race([
    failed.promise,
    service.live.connect({
      model,
      config: {
        responseModalities: [Modality.AUDIO],
        systemInstruction: voiceInstruction,
        tools: [{ functionDeclarations: voiceTools.map((tool) => ({ ...tool })) }],
        inputAudioTranscription: {},
        outputAudioTranscription: {},
        sessionResumption: handle === null ? {} : { handle },
        contextWindowCompression: { slidingWindow: {} },
      },
      callbacks: {
        onmessage: (message) => hear(message, events),
        onclose({ code, reason }) {
          if (isOpen) events.onClosed(code, reason)
          else failed.reject(new Refused(code, reason))
        },
      },
    }),
  ])
  isOpen = true
  const isOpenNow = (): boolean => isSocketOpen(session)
  return guardLive(speakTo(session), isOpenNow, (unsent) => events.onUnsent(unsent))
}

/** The client reports only closed sockets; only the socket itself tells that it is closing. */
function isSocketOpen({ conn }: Session): boolean {
  const { ws } = conn as unknown as { readonly ws?: WebSocket }
  return ws === undefined || ws.readyState === WebSocket.OPEN
}

/** The connection closed before it was established. */
export class Refused extends Error {
  readonly code: number
  readonly reason: string

  constructor(code: number, reason: string) {
    super('The speech service closed the connection.')
    this.code = code
    this.reason = reason
  }
}

function speakTo(session: Session): Live {
  return {
    sendAudio: (pcm) =>
      session.sendRealtimeInput({
        audio: { data: toBase64(pcm), mimeType: `audio/pcm;rate=${UP}` },
      }),
    endAudio: () => session.sendRealtimeInput({ audioStreamEnd: true }),
    tell: (text) => session.sendRealtimeInput({ text }),
    answer: ({ id, name }, response) =>
      session.sendToolResponse({ functionResponses: [{ id, name, response: { ...response } }] }),
    close: () => session.close(),
  }
}

/** One message may contain several things. */
function hear(message: LiveServerMessage, events: LiveEvents): void {
  const { serverContent, toolCall, toolCallCancellation, sessionResumptionUpdate, goAway } = message
  if (serverContent?.interrupted === true) events.onInterrupted()
  const heard = serverContent?.inputTranscription?.text
  if (heard !== undefined && heard !== '') events.onHeard(heard)
  for (const part of serverContent?.modelTurn?.parts ?? []) {
    const data = part.inlineData?.data
    if (data !== undefined) events.onAudio(fromBase64(data))
  }
  const said = serverContent?.outputTranscription?.text
  if (said !== undefined && said !== '') events.onSaid(said)
  if (serverContent?.turnComplete === true) events.onTurnEnd()
  for (const { id, name, args } of toolCall?.functionCalls ?? [])
    if (id !== undefined && name !== undefined) events.onCall({ id, name, args: args ?? {} })
  if (toolCallCancellation?.ids !== undefined) events.onCallsCancelled(toolCallCancellation.ids)
  const { newHandle, resumable } = sessionResumptionUpdate ?? {}
  if (resumable === true && newHandle !== undefined) events.onHandle(newHandle)
  if (goAway !== undefined) events.onGoAway()
}
