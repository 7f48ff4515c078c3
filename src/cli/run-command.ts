import { CommanderError } from 'commander'
import { Failure } from '#failure'
import { refuseUnprovenPlatform } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { startingWithVerb } from './leading-words.ts'
import { program } from './program.ts'
import { endWithReader, printError, reportFailure } from './report-failure.ts'

/** The outermost layer of commands: turns failures into messages and exit codes. */
export async function run(argv: readonly string[]): Promise<true> {
  endWithReader()
  try {
    refuseUnprovenPlatform(process.platform)
    if (argv[0] === 'claude') (await import('./run-claude.ts')).runClaude(argv.slice(1))
    const given = startingWithVerb(argv)
    const words = given.length === 0 ? ['serve', '--open'] : given
    await program(words[0]).parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, argv.includes('--json'))
  }
  return true
}

function report(error: unknown, json: boolean): number {
  if (!(error instanceof CommanderError)) return reportFailure(error, json)
  if (error.exitCode === 0) return exitCodes.done
  if (json) printError(new Failure('usage', error.message.replace(/^error: /, '')))
  return exitCodes.usage
}
