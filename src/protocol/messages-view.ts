import type { MessageReport } from '#timeline'
import { stepView, type StepView } from './show-view.ts'

export interface MessageView {
  id: string
  turn: { id: string; number: number | null }
  role: 'user' | 'assistant'
  at: string | null
  text: string
  thinking?: string
  steps: StepView[]
}

export interface MessagesView {
  schema: 'retake.messages/1'
  session: string
  messages: MessageView[]
  /** There are earlier ones: request them with `before` set to the id of the first. */
  more: boolean
}

export function messagesView(
  session: string,
  { messages, more }: { messages: readonly MessageReport[]; more: boolean },
): MessagesView {
  return { schema: 'retake.messages/1', session, messages: messages.map(messageView), more }
}

function messageView({ thinking, steps, turn, ...message }: MessageReport): MessageView {
  return {
    ...message,
    turn: { ...turn },
    ...(thinking === '' ? {} : { thinking }),
    steps: steps.map((step) => stepView(step)),
  }
}
