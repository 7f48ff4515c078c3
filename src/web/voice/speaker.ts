import { DOWN, fromPcm } from './pcm.ts'

/** Plays what the model says, piece by piece; `stop` silences it at once. */
export interface Speaker {
  play(pcm: Int16Array): void
  stop(): void
  close(): void
}

export function makeSpeaker(onChange: (isSpeaking: boolean) => void): Speaker {
  const context = new AudioContext()
  const playing = new Set<AudioBufferSourceNode>()
  let end = 0
  return {
    play(pcm) {
      if (pcm.length === 0) return
      const buffer = context.createBuffer(1, pcm.length, DOWN)
      buffer.copyToChannel(fromPcm(pcm), 0)
      const source = context.createBufferSource()
      source.buffer = buffer
      source.connect(context.destination)
      // Pieces arrive faster than they play, so each starts where the one before ends.
      end = Math.max(end, context.currentTime)
      source.start(end)
      end += buffer.duration
      source.addEventListener('ended', () => {
        playing.delete(source)
        if (playing.size === 0) onChange(false)
      })
      if (playing.size === 0) onChange(true)
      playing.add(source)
    },
    stop() {
      if (playing.size === 0) return
      for (const source of playing) source.stop()
      playing.clear()
      end = 0
      onChange(false)
    },
    close: () => void context.close(),
  }
}
