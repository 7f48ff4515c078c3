/**
 * What was understood and said so far, in pieces, until it is a line of the log. A line is written
 * when somebody else begins to speak, when the model is done, and before anything is carried out.
 */
export interface Transcript {
  add(by: 'you' | 'voice', text: string): void
  /** Settles when everything so far is in the log, in its order. */
  flush(): Promise<void>
  readonly heard: string
}

export function makeTranscript(
  log: (by: 'you' | 'voice', text: string) => Promise<void>,
): Transcript {
  let by: 'you' | 'voice' = 'you'
  let text = ''
  let written: Promise<void> = Promise.resolve()
  const flush = (): Promise<void> => {
    const [who, line] = [by, text.trim()]
    text = ''
    if (line === '') return written
    // One that failed is told to who waits for it; the next line is tried all the same.
    written = written.catch(() => {}).then(() => log(who, line))
    // Whether somebody waits or not, a log that cannot be written must not end the page.
    written.catch(() => {})
    return written
  }
  return {
    add(who, piece) {
      if (who !== by) void flush()
      by = who
      text += piece
    },
    flush,
    get heard() {
      return by === 'you' ? text.trim() : ''
    },
  }
}
