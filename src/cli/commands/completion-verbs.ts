import type { Command } from 'commander'
import { Failure } from '#failure'
import { completionScripts } from '../text/completion-scripts.ts'
import { glancing } from '../verb.ts'

const completing = async () => (await import('./doing.ts')).completing

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
    .action((words: string[]) =>
      glancing(completing, (context, { completeWords }) => completeWords(context, program, words)),
    )
}
