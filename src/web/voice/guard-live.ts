import type { Live, Unsent } from './live-connection.ts'

/**
 * A socket is closing for a moment before any event says so, and drops what is sent then without an
 * error. Lost audio is fine, but an answer that the model waits for goes to the next connection.
 */
export function guardLive(
  live: Live,
  isOpen: () => boolean,
  onUnsent: (unsent: Unsent) => void,
): Live {
  return {
    sendAudio(pcm) {
      if (isOpen()) live.sendAudio(pcm)
    },
    endAudio() {
      if (isOpen()) live.endAudio()
    },
    tell(text) {
      if (isOpen()) live.tell(text)
      else onUnsent((next) => next.tell(text))
    },
    answer(call, response) {
      if (isOpen()) live.answer(call, response)
      else onUnsent((next) => next.answer(call, response))
    },
    close: () => live.close(),
  }
}
