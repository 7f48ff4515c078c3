import type { Command } from 'commander'
import { verb, withContext } from '../verb.ts'
import type { ChatFlags } from './chat.ts'

const loadChat = async () => (await import('./implementations.ts')).chat

export function addChat(program: Command): void {
  verb(program, 'chat', 'continue a session in the terminal, with approvals')
    .argument('[prompt]', 'the prompt; default: asked for, or read from standard input')
    .option('--new', 'start a new session')
    .option('--agent <name>', 'the agent of a new session; default: that of the newest one here')
    .option('--model <name>', 'the model to use')
    .option('--permission-mode <mode>', 'what the agent may do without asking')
    .action((prompt: string | undefined, flags: ChatFlags) =>
      withContext(flags, loadChat, (context, { chat }) => chat(context, flags, prompt)),
    )
}
