import type { Command } from 'commander'
import { Failure } from '#failure'
import { completionScripts } from '../text/completion-scripts.ts'
import type { CommonFlags } from '../context.ts'
import { withReadOnlyContext } from '../verb.ts'
import { safeJson } from '../visible.ts'

const loadCompletion = async () => (await import('./implementations.ts')).completion

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands, turns and branches in your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .option('--json', 'print one JSON object')
    .exitOverride()
    .action((shell: string, { json }: CommonFlags) => {
      if (!Object.hasOwn(completionScripts, shell))
        throw new Failure('usage', '`completion` takes `bash`, `zsh` or `fish`.')
      const script = completionScripts[shell]!
      const view = { schema: 'retake.completion/1', shell, script }
      process.stdout.write(`${json === true ? safeJson(view) : script}\n`)
    })
  program
    .command('complete', { hidden: true })
    .description('list completions; called by the shell script')
    .argument('[words...]')
    .option('--files', 'print on the first line whether a file fits')
    .action((words: string[], flags: { files?: boolean }) =>
      withReadOnlyContext(loadCompletion, (context, { completeWords }) =>
        completeWords(context, program, words, flags),
      ),
    )
}
