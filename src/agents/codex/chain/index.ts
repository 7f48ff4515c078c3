/** Which rollout continues which, where the agent would resume, and the resulting turns. */
export { buildConversation, type Conversation, type TurnEntry } from './conversation.ts'
