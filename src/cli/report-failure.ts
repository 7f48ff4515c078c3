import { Failure, wordRemedy } from '#failure'
import { errorView, onCommandLine } from '#protocol'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { safeJson, visible } from './visible.ts'

/** Says what went wrong, in a user's words where they are known; the answer is the exit code. */
export function reportFailure(error: unknown, json: boolean): number {
  if (!(error instanceof Failure)) {
    // A bug of ours: the trace is what helps, and nothing was promised.
    console.error(error)
    if (json) printError(new Failure('internal-error', 'Retake failed in an unexpected way.'))
    return exitCodes.failed
  }
  if (json) printError(error)
  else {
    process.stderr.write(`${visible(error.message)}\n`)
    if (error.hint !== undefined)
      process.stderr.write(`Hint: ${visible(wordRemedy(error.hint, onCommandLine))}\n`)
  }
  return exitCodeOf(error.code)
}

export function printError(error: Failure): void {
  process.stdout.write(`${safeJson(errorView(error, onCommandLine))}\n`)
}

let isWatched = false

/** A reader that went away (`retake log | head`) is no failure. */
export function endWithReader(): void {
  if (isWatched) return
  isWatched = true
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done)
    writeQuietly(`Cannot write the output: ${error.message}.\n`)
    process.exit(exitCodes.failed)
  })
  // With both on a full disk there is nowhere left to say it.
  process.stderr.on('error', () => process.exit(exitCodes.failed))
}

function writeQuietly(text: string): void {
  try {
    process.stderr.write(text)
  } catch {}
}
