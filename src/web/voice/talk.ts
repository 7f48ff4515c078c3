import { wordRemedy } from '#failure'
import { client, failureFrom } from '../connection/connection.ts'
import { usePreferences } from '../preferences.ts'
import { onPage } from '../ui/page-words.ts'
import type { Desk, Outcome } from './carry-out.ts'
import { gate } from './gate.ts'
import type { Unsent } from './live-connection.ts'
import { openLive, Refused, type LiveEvents } from './live.ts'
import type { Live } from './live-connection.ts'
import { microphoneWords, openMicrophone, type Microphone } from './microphone.ts'
import { levelOf } from './pcm.ts'
import { readCall } from './read-call.ts'
import { makeSpeaker, type Speaker } from './speaker.ts'
import { silent, useTalk, type TalkState } from './talk-state.ts'
import { takeCall, type Taken } from './take-command.ts'
import { makeTranscript } from './transcript.ts'

/** A voice conversation, from the first word until it ends. */
export interface Talk {
  /** An event in the session that the model tells the user. */
  tell(text: string): void
  /** The key for speaking is pressed or released. */
  hold(held: boolean): void
  mute(muted: boolean): void
  /** Switches to the microphone that is set in the preferences. */
  changeMicrophone(): Promise<void>
  end(): void
}

/** Milliseconds before each attempt to connect. */
const WAITS = [0, 500, 1000, 2000, 4000]

export function openTalk(desk: Desk, onTaken: (taken: Taken) => void): Talk {
  const life = new AbortController()
  const set = (change: Partial<TalkState>): void => {
    if (!life.signal.aborted) useTalk.setState(change)
  }
  const transcript = makeTranscript((by, text) => desk.log(by, text))
  const cancelled = new Set<string>()
  let microphone: Microphone | null = null
  let live: Live | null = null
  let handle: string | null = null
  let doing: Promise<void> = Promise.resolve()
  let unsent: Unsent[] = []
  const speaker: Speaker = makeSpeaker((speaking) => set({ speaking }))
  // The user spoke since the model last got text from elsewhere. A question or answer of the agent
  // may say "approve this", so the model may act only on the user's own words.
  let spoke = false
  const hear = gate({
    send(pcm) {
      spoke = true
      live?.sendAudio(pcm)
    },
    end: () => live?.endAudio(),
  })

  const end = (why: string | null): void => {
    if (life.signal.aborted) return
    life.abort()
    void transcript.flush()
    microphone?.close()
    speaker.stop()
    speaker.close()
    live?.close()
    // The microphone may still deliver a piece of sound.
    live = null
    useTalk.setState({ ...silent, why })
  }

  const onPcm = (pcm: Int16Array): void => {
    const { muted, held } = useTalk.getState()
    const { handsFree } = usePreferences.getState()
    const isOpen = live !== null && !muted
    const opening = !isOpen ? 'closed' : handsFree ? 'hands-free' : held ? 'held' : 'closed'
    const hearing = hear(pcm, opening)
    set({ level: muted ? 0 : levelOf(pcm), hearing })
  }

  const listen = async (): Promise<void> => {
    microphone?.close()
    try {
      const opened = await openMicrophone(usePreferences.getState().microphone, {
        onPcm,
        onEnd: () => end('The microphone was disconnected.'),
      })
      if (life.signal.aborted) return opened.close()
      microphone = opened
      set({ devices: opened.devices })
    } catch (error) {
      end(microphoneWords(error))
    }
  }

  const eventsOf = (own: { live: Live | null }): LiveEvents => {
    // Audio and events of a connection that was replaced are ignored.
    const isReplaced = (): boolean => own.live !== null && own.live !== live
    const carryOut = async (call: { id: string; name: string; args: object }): Promise<void> => {
      if (cancelled.has(call.id)) return
      const read = readCall(call.name, call.args)
      const answer = (outcome: Outcome): void => (live ?? own.live)?.answer(call, outcome)
      if ('wrong' in read) return answer({ kind: 'failed', says: read.wrong })
      if (!spoke && !HARMLESS.has(read.tool)) return answer({ kind: 'failed', says: UNASKED })
      const taken = await takeCall(read, desk, () => transcript.flush())
      set({ heard: '' })
      if (life.signal.aborted) return
      onTaken(taken)
      if (taken.outcome.kind === 'asks') spoke = false
      answer(taken.outcome)
    }
    return {
      onHeard(text) {
        transcript.add('you', text)
        set({ heard: transcript.heard })
      },
      onSaid(text) {
        transcript.add('voice', text)
        set({ heard: transcript.heard })
      },
      onAudio: (pcm) => (isReplaced() ? undefined : speaker.play(pcm)),
      onTurnEnd: () => void transcript.flush(),
      onInterrupted() {
        speaker.stop()
        void transcript.flush()
      },
      // In sequence: a call may be about what the one before it changed.
      onCall: (call) => void (doing = doing.then(() => carryOut(call))),
      onCallsCancelled: (ids) => ids.forEach((id) => cancelled.add(id)),
      onHandle: (given) => void (handle = given),
      onGoAway() {
        if (!isReplaced()) void connect('reconnecting')
      },
      onUnsent: (each) => void unsent.push(each),
      onClosed(code, reason) {
        if (isReplaced() || life.signal.aborted) return
        live = null
        const why = refusalWords(code, reason)
        if (why === null) void connect('reconnecting')
        else end(why)
      },
    }
  }

  const connect = async (state: 'connecting' | 'reconnecting'): Promise<void> => {
    set({ state })
    for (const [at, wait] of WAITS.entries()) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      if (life.signal.aborted) return
      try {
        const token = await client().makeVoiceToken({})
        const own: { live: Live | null } = { live: null }
        own.live = await openLive(token, handle, eventsOf(own))
        if (life.signal.aborted) return own.live.close()
        const before = live
        live = own.live
        before?.close()
        const late = unsent
        unsent = []
        for (const each of late) each(live)
        return set({ state: 'on', why: null })
      } catch (error) {
        const { says, final } = connectionWords(error)
        const isLast = at === WAITS.length - 1 || state === 'connecting'
        if (final || isLast) return end(isBlocked ? POLICY : says)
      }
    }
  }

  // The page's policy allows only the services that were enabled when it was loaded.
  let isBlocked = false
  document.addEventListener('securitypolicyviolation', () => (isBlocked = true), {
    signal: life.signal,
  })

  const begin = async (): Promise<void> => {
    useTalk.setState({ ...silent, state: 'connecting' })
    const voice = await client().voice({})
    if (voice.why !== undefined) return end(wordRemedy(voice.remedy ?? voice.why, onPage))
    await listen()
    if (!life.signal.aborted) await connect('connecting')
  }
  void begin().catch((error: unknown) => end(failureFrom(error).message))

  return {
    tell(text) {
      spoke = false
      live?.tell(text)
    },
    hold(held) {
      // A user who presses the key wants to speak, not to listen.
      if (held) speaker.stop()
      set({ held })
    },
    mute: (muted) => set({ muted }),
    changeMicrophone: listen,
    end: () => end(null),
  }
}

/** Allowed unasked: redo reverses `go_back`, and `status` changes nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['go_back', 'status'])
const UNASKED = 'The user has not spoken since. Ask the user first.'
const QUOTA = 'Your quota at the speech service is used up. Try again later.'
const REFUSED = 'The speech service refused the conversation. Check the key and `voiceModel`.'
const POLICY = 'This page may not connect to that service yet. Reload it.'
const NETWORK = 'The speech service cannot be reached.'

/** Why the service closed a connection, if a retry would not help; else null. */
function refusalWords(code: number, reason: string): string | null {
  if (/quota|exhausted|rate limit/i.test(reason)) return QUOTA
  return code === 1007 || code === 1008 ? REFUSED : null
}

function connectionWords(error: unknown): { readonly says: string; readonly final: boolean } {
  if (error instanceof Refused) {
    const says = refusalWords(error.code, error.reason)
    return { says: says ?? NETWORK, final: says !== null }
  }
  const { code, message, hint } = failureFrom(error)
  const says =
    code === 'page-failed'
      ? NETWORK
      : hint === undefined
        ? message
        : `${message} ${wordRemedy(hint, onPage)}`
  return { says, final: !['server-unreachable', 'voice-unreachable', 'page-failed'].includes(code) }
}
