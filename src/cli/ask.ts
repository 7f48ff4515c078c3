import { createInterface } from 'node:readline/promises'
import { Failure } from '#failure'

/** Asks on standard error, so that standard output stays data. Only `y` and `yes` mean yes. */
export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal })
    return /^y(es)?$/i.test(answer.trim())
  } catch (cause) {
    // Readline reads Ctrl-C as a key and rejects the question; the process gets no signal.
    if ((cause as Error).name !== 'AbortError') throw cause
    throw new Failure('interrupted', 'Nothing was changed.', { cause })
  } finally {
    terminal.close()
  }
}
