/**
 * Collects pieces of what was heard and said into lines of the voice log. A line is written when
 * the speaker changes, when the model is done, and before any command runs.
 */
export interface Transcript {
  add(by: 'you' | 'voice', text: string): void
  /** Resolves when everything so far is in the log, in order. */
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
    // A failed write rejects for its own caller; the next line is still tried.
    written = written.catch(() => {}).then(() => log(who, line))
    // Catch it even if no caller waits: an unhandled rejection must not break the page.
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
