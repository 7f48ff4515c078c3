import { CommanderError } from 'commander'
import { Failure } from '#failure'
import { errorView } from '#protocol'
import { refuseUnprovenPlatform } from './environment.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { program } from './program.ts'
import { safeJson, visible } from './visible.ts'

/** The edge of the program: here failures become words and exit codes, and nowhere else. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  // A reader that went away (`retake log | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done)
    throw error
  })
  try {
    refuseUnprovenPlatform(process.platform)
    const words = argv.length === 0 ? ['serve', '--open'] : argv
    await program(words[0]).parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, argv.includes('--json'))
  }
}

function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done
    if (json) printError(new Failure('usage', error.message.replace(/^error: /, '')))
    return exitCodes.usage
  }
  if (!(error instanceof Failure)) {
    // A bug of ours: the trace is what helps, and nothing was promised.
    console.error(error)
    if (json) printError(new Failure('internal-error', 'Retake failed in an unexpected way.'))
    return exitCodes.failed
  }
  if (json) printError(error)
  else {
    process.stderr.write(`${visible(error.message)}\n`)
    if (error.hint !== undefined) process.stderr.write(`Hint: ${visible(error.hint)}\n`)
  }
  return exitCodeOf(error.code)
}

function printError(error: Failure): void {
  process.stdout.write(`${safeJson(errorView(error))}\n`)
}
