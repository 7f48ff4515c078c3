import { log, show, status, statusLine, tree } from './commands/read.ts'
import { sessions } from './commands/sessions.ts'
import { keepRead, openContext, type Context } from './context.ts'
import { refuseUnprovenPlatform } from './environment.ts'
import { openOutput } from './output.ts'
import { readPlainWords, type PlainWords } from './plain-words.ts'
import { reportFailure } from './report-failure.ts'

/**
 * Runs the verbs that only read, without loading the rest: people and status lines start them all
 * day. False, with nothing done, if the words need the full parser.
 */
export async function run(argv: readonly string[]): Promise<boolean> {
  const words = readPlainWords(argv)
  if (words === null) return false
  try {
    refuseUnprovenPlatform(process.platform)
    using context = openContext(words.flags, openOutput())
    await read(context, words)
    keepRead(context)
  } catch (error) {
    process.exitCode = reportFailure(error, words.flags.json === true)
  }
  return true
}

function read(context: Context, { verb, turn, flags }: PlainWords): unknown {
  if (verb === 'sessions')
    return sessions(context, { all: flags.all === true, agent: flags.agent ?? null })
  if (verb === 'show') return show(context, turn, { reveal: flags.reveal === true })
  if (verb === 'log') return log(context, flags)
  if (verb === 'tree') return tree(context)
  return flags.line === true && flags.json !== true ? statusLine(context) : status(context)
}
