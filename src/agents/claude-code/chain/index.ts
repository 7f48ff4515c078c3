/** Which rows lead to which, where the agent would resume, and the turns that makes. */
export { conversationAt, isSameConversation, lineAt } from './conversation-at.ts'
export { digestOf } from './digest.ts'
export { identityText, keepConversationOf, readKept } from './kept-reading.ts'
export { findResume } from './resume.ts'
export { factsOf } from './turn-facts.ts'
export { buildConversation, type Conversation, type TurnRows } from './turns.ts'
