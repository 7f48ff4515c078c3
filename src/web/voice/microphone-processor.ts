/**
 * Runs in the browser's audio thread: resamples the microphone to the rate of the speech service,
 * and posts pieces of a twenty-fifth of a second.
 */
import { makeResampler, toPcm, UP } from './pcm.ts'

declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, made: new () => AudioWorkletProcessor): void
declare const sampleRate: number

const PIECE = UP / 25

class Microphone extends AudioWorkletProcessor {
  readonly #resample = makeResampler(sampleRate, UP)
  #waiting: number[] = []

  process([input]: Float32Array[][]): boolean {
    const [channel] = input ?? []
    if (channel === undefined) return true
    this.#waiting.push(...this.#resample(channel))
    while (this.#waiting.length >= PIECE) {
      const { buffer } = toPcm(Float32Array.from(this.#waiting.splice(0, PIECE)))
      this.port.postMessage(buffer, [buffer])
    }
    return true
  }
}

registerProcessor('microphone', Microphone)
