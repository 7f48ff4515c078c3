/** One connection to the speech service. */
export interface Live {
  sendAudio(pcm: Int16Array): void
  /** Nobody speaks for now: what was heard is all of it. */
  endAudio(): void
  /** Something that happened, for the model to tell. */
  tell(text: string): void
  answer(call: { readonly id: string; readonly name: string }, response: object): void
  close(): void
}

/** Sends over whichever connection is there later. */
export type Unsent = (live: Live) => void
