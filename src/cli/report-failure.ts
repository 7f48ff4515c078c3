import { Failure, wordRemedy } from '#failure'
import { errorView, onCommandLine } from '#protocol'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { safeJson, visible } from './visible.ts'

/** Prints what went wrong, and returns the exit code. */
export function reportFailure(error: unknown, json: boolean): number {
  if (!(error instanceof Failure)) {
    // A bug in Retake: print the stack trace for the report.
    console.error(error)
    if (json) printError(new Failure('internal-error', 'Retake failed in an unexpected way.'))
    return exitCodes.failed
  }
  if (json) printError(error)
  else {
    writeError(`${visible(error.message)}\n`)
    if (error.hint !== undefined)
      writeError(`Hint: ${visible(wordRemedy(error.hint, onCommandLine))}\n`)
  }
  return exitCodeOf(error.code)
}

export function printError(error: Failure): void {
  process.stdout.write(`${safeJson(errorView(error, onCommandLine))}\n`)
}

let isWatched = false

/** Exits quietly when the reader closes the pipe (`retake log | head`). */
export function endWithReader(): void {
  if (isWatched) return
  isWatched = true
  process.stdout.on('error', endUnwritten)
  // Standard error failed too (both on a full disk), so the message cannot be printed.
  process.stderr.on('error', () => process.exit(exitCodes.failed))
}

/** Ends because the output cannot be written. */
export function endUnwritten(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  writeQuietly(`Cannot write the output: ${error.message}.\n`)
  process.exit(exitCodes.failed)
}

/** To standard error, which may fail too. */
export function writeError(text: string): void {
  endWithReader()
  process.stderr.write(text)
}

function writeQuietly(text: string): void {
  try {
    process.stderr.write(text)
  } catch {}
}
