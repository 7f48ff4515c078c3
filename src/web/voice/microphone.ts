import processor from './microphone-processor.ts?worker&url'

export interface Microphone {
  readonly devices: readonly { readonly id: string; readonly label: string }[]
  close(): void
}

/**
 * Listens to a microphone until it is closed. The browser asks the user first. If the device goes
 * away, such as an unplugged headset, `onEnd` is called.
 */
export async function openMicrophone(
  device: string | null,
  to: { onPcm(pcm: Int16Array): void; onEnd(): void },
): Promise<Microphone> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      channelCount: 1,
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      ...(device === null ? {} : { deviceId: { exact: device } }),
    },
  })
  const context = new AudioContext()
  const close = (): void => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  try {
    await context.audioWorklet.addModule(processor)
    const source = context.createMediaStreamSource(stream)
    const node = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 1 })
    node.port.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) =>
      to.onPcm(new Int16Array(data)),
    )
    node.port.start()
    source.connect(node)
    // A node without a connected output is not processed; what this one plays is silence.
    node.connect(context.destination)
    for (const track of stream.getTracks()) track.addEventListener('ended', () => to.onEnd())
    // Browsers reveal device names only after the user allowed the microphone.
    const all = await navigator.mediaDevices.enumerateDevices()
    const devices = all
      .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label: label || 'Microphone' }))
    return { devices, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Why the microphone does not work, in words for the user. */
export function microphoneWords(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError')
    return 'The browser blocks the microphone on this page. Allow it next to the address, then try again.'
  if (name === 'NotFoundError' || name === 'OverconstrainedError')
    return 'There is no microphone. Connect one, or choose another.'
  if (name === 'NotReadableError' || name === 'AbortError')
    return 'The microphone cannot be read. Another program may be using it.'
  return 'The microphone could not be opened.'
}
