/** Audio format of the speech service: 16 bit, mono, 16 kHz up and 24 kHz down. */
export const UP = 16_000
export const DOWN = 24_000

/**
 * Resamples to a lower rate, piece by piece. Each new sample is the mean of the old ones it
 * replaces: picking single ones would alias high sounds into the speech.
 */
export function makeResampler(from: number, to: number): (samples: Float32Array) => Float32Array {
  const step = from / to
  let rest = new Float32Array()
  let start = 0
  return (samples) => {
    const all = new Float32Array(rest.length + samples.length)
    all.set(rest)
    all.set(samples, rest.length)
    const made: number[] = []
    while (start + step <= all.length) {
      made.push(meanOf(all, start, start + step))
      start += step
    }
    const used = Math.floor(start)
    rest = all.slice(used)
    start -= used
    return Float32Array.from(made)
  }
}

/** The mean of a range whose ends may fall inside a sample. */
function meanOf(samples: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let at = Math.floor(from); at < to; at += 1)
    sum += (samples[at] ?? 0) * (Math.min(at + 1, to) - Math.max(at, from))
  return sum / (to - from)
}

export function toPcm(samples: Float32Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (sample) =>
    Math.round(Math.max(-1, Math.min(1, sample)) * 32_767),
  )
}

export function fromPcm(pcm: Int16Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(pcm, (sample) => sample / 32_768)
}

/** Loudness, from 0 to 1. */
export function levelOf(pcm: Int16Array): number {
  let sum = 0
  for (const sample of pcm) sum += (sample / 32_768) ** 2
  return Math.sqrt(sum / Math.max(1, pcm.length))
}

const PIECE = 8192

export function toBase64(pcm: Int16Array): string {
  const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  let text = ''
  // In chunks: some browsers do not take more arguments at once.
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(text)
}

export function fromBase64(text: string): Int16Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  return new Int16Array(bytes.buffer, 0, bytes.length >> 1)
}
