import type { Command } from 'commander'
import { verb, within } from '../verb.ts'
import type { ChatFlags } from './chat.ts'

const chatting = async () => (await import('./doing.ts')).chatting

export function addChat(program: Command): void {
  verb(program, 'chat', 'continue a session in the terminal, with approvals')
    .argument('[prompt]', 'the prompt; default: asked for, or read from standard input')
    .option('--new', 'start a new session')
    .option('--model <name>', 'the model to use')
    .option('--permission-mode <mode>', 'what the agent may do without asking')
    .action((prompt: string | undefined, flags: ChatFlags) =>
      within(flags, chatting, (context, { chat }) => chat(context, flags, prompt)),
    )
}
