import { createInterface } from 'node:readline/promises'

/** Asks on standard error, so that standard output stays data. Only `y` and `yes` mean yes. */
export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
