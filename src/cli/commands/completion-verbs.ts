import type { Command } from 'commander'
import { listSessions, readLog } from '#engine'
import { Failure } from '#failure'
import { complete } from '../complete.ts'
import { openContext, type Context } from '../context.ts'
import { completionScripts } from '../text/completion-scripts.ts'
import { visible } from '../visible.ts'

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('what completes commands, turns and branches in your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .exitOverride()
    .action((shell: string) => {
      if (!Object.hasOwn(completionScripts, shell))
        throw new Failure('usage', '`completion` takes `bash`, `zsh` or `fish`.')
      process.stdout.write(`${completionScripts[shell]}\n`)
    })
  program
    .command('complete', { hidden: true })
    .description('what can stand at the end of these words; shells ask it')
    .argument('[words...]')
    .action((words: string[]) => {
      using context = openContext({})
      for (const { value, about } of complete(program, words, knownOf(context)))
        process.stdout.write(`${oneLine(value)}\t${oneLine(about)}\n`)
    })
}

/** A key was pressed in a shell: what cannot be read is not offered, and nothing is said. */
function knownOf({ machine, wanted }: Context) {
  const orNull = <T>(read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      if (error instanceof Failure) return null
      throw error
    }
  }
  return {
    log: () => orNull(() => readLog(machine, wanted)),
    sessions: () => orNull(() => listSessions(machine, null)) ?? [],
  }
}

function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').slice(0, 60)
}
