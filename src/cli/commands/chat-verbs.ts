import type { Command } from 'commander'
import { verb, within } from '../verb.ts'
import { chat, type ChatFlags } from './chat.ts'

export function addChat(program: Command): void {
  verb(program, 'chat', 'go on with a session in the terminal, with approvals')
    .argument('[prompt]', 'what to say; without one, it is asked for or read from standard input')
    .option('--new', 'begin a new session')
    .option('--model <name>', 'the model to use')
    .option('--permission-mode <mode>', 'what the agent may do unasked')
    .action((prompt: string | undefined, flags: ChatFlags) =>
      within(flags, (context) => chat(context, flags, prompt)),
    )
}
