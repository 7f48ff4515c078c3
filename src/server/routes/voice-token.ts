import { findVoiceKey, settingsOf } from '#engine'
import { command, Failure, remedy, wordRemedy } from '#failure'
import {
  inRequest,
  voiceInstruction,
  voiceTools,
  type VoiceTokenView,
  type VoiceView,
} from '#protocol'
import type { Served } from '../requests/index.ts'

/** How long a conversation may last, and how soon it must begin. */
const LIFETIME_MS = 30 * 60 * 1000
const BEGINS = 60 * 1000
const TIMEOUT_MS = 15_000

const OFF = remedy`Speech is off. ${command('settings set', ['voice', 'on'])}, then reload this page.`
const NO_KEY = remedy`Speech needs a key for the Gemini API. ${command('settings set', ['voiceKey', '-'])}, or set GEMINI_API_KEY in the environment that Retake is started in.`

export function describeVoice({ machine, voiceKey }: Served): VoiceView {
  const { voice, voiceModel, voiceUrl } = settingsOf(machine)
  const key = findVoiceKey(machine, voiceKey)?.from ?? 'none'
  const why = voice ? (key === 'none' ? NO_KEY : null) : OFF
  return {
    schema: 'retake.voice/1',
    on: voice,
    key,
    model: voiceModel,
    origin: voiceUrl,
    ...(why === null ? {} : { why: wordRemedy(why, inRequest), remedy: why }),
  }
}

/**
 * Exchanges the user's key for a token that opens one conversation with one model, with our tools
 * and nothing else. The page gets only the token. The body of an error response is never passed on:
 * it may repeat what was sent.
 */
export async function makeVoiceToken(served: Served): Promise<VoiceTokenView> {
  const { machine, voiceKey } = served
  const { voice, voiceModel, voiceUrl } = settingsOf(machine)
  const key = findVoiceKey(machine, voiceKey)
  if (!voice || key === null)
    throw new Failure(voice ? 'voice-no-key' : 'voice-off', describeVoice(served).why!)
  const now = machine.now().getTime()
  const expiresAt = new Date(now + LIFETIME_MS).toISOString()
  const answer = await ask(`${voiceUrl}/v1alpha/auth_tokens`, key.value, {
    uses: 1,
    expireTime: expiresAt,
    newSessionExpireTime: new Date(now + BEGINS).toISOString(),
    bidiGenerateContentSetup: {
      model: `models/${voiceModel}`,
      generationConfig: { responseModalities: ['AUDIO'] },
      systemInstruction: { parts: [{ text: voiceInstruction }] },
      tools: [{ functionDeclarations: voiceTools }],
    },
    // The page sets everything else, such as the handle of a resumed conversation.
    fieldMask: 'model,generationConfig.responseModalities,systemInstruction,tools',
  })
  const token = nameOf(answer)
  if (token === null) throw failed('The speech service did not answer with a token.')
  return { schema: 'retake.voice-token/1', token, expiresAt, model: voiceModel, origin: voiceUrl }
}

async function ask(url: string, key: string, body: object): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      // Do not follow redirects: the key may only go to the address that the user chose.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new Failure('voice-unreachable', 'The speech service cannot be reached.', {
      hint: remedy`Check the network, then ${command('settings')} and check \`voiceUrl\`.`,
    })
  }
  if (response.ok) return response.json().catch(() => null)
  await response.body?.cancel()
  if (response.status === 429)
    throw new Failure('voice-quota', 'Your quota at the speech service is used up.', {
      hint: 'Try again later, or check the limits of your key.',
    })
  if ([400, 401, 403].includes(response.status))
    throw new Failure('voice-refused', 'The speech service refused the key or the model.', {
      hint: remedy`Check the key, then ${command('settings')} and check \`voiceModel\`.`,
    })
  throw failed(`The speech service answered ${response.status}.`)
}

function failed(message: string): Failure {
  return new Failure('voice-failed', message, { hint: 'Try again later.' })
}

function nameOf(answer: unknown): string | null {
  const name = (answer as { name?: unknown } | null)?.name
  return typeof name === 'string' && /^auth_tokens\/[\w.-]+$/.test(name) ? name : null
}
