/** Which row follows which, where the agent would resume, and the resulting turns. */
export { conversationAt, isSameConversation, lineAt } from './conversation-at.ts'
export { digestOf } from './digest.ts'
export { identityText, keepConversationOf, readKept } from './kept-reading.ts'
export { findResume } from './resume.ts'
export { factsOf } from './turn-facts.ts'
export { buildConversation, type Conversation, type TurnRows } from './turns.ts'
