/** One connection to the speech service. */
export interface Live {
  sendAudio(pcm: Int16Array): void
  /** The speech has ended: everything was sent. */
  endAudio(): void
  /** Gives the model an event to tell the user. */
  tell(text: string): void
  answer(call: { readonly id: string; readonly name: string }, response: object): void
  close(): void
}

/** Sends a message over a later connection. */
export type Unsent = (live: Live) => void
