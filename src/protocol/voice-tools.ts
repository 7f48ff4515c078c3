/**
 * What can be said to a session: the tools that the speech model gets, and that typed commands are
 * read into. The page gives them to the model, and the server binds its tokens to them, so that a
 * token in other hands is good for nothing else.
 */
export type VoiceCall =
  | { readonly tool: 'go_back' }
  | { readonly tool: 'undo'; readonly turns?: number; readonly only?: 'files' | 'chat' }
  | { readonly tool: 'redo'; readonly turns?: number; readonly all?: boolean }
  | {
      readonly tool: 'rewind'
      readonly turn: number | string
      readonly before?: boolean
      readonly only?: 'files' | 'chat'
    }
  | { readonly tool: 'switch_branch'; readonly branch: string }
  | { readonly tool: 'checkpoint'; readonly name?: string }
  | { readonly tool: 'status' }
  | { readonly tool: 'converse'; readonly prompt: string }
  | {
      readonly tool: 'answer_approval'
      readonly allow: boolean
      readonly always?: boolean
      readonly reason?: string
    }

export type VoiceToolName = VoiceCall['tool']

interface VoiceTool {
  readonly name: VoiceToolName
  readonly description: string
  readonly parametersJsonSchema?: object
}

const count = (of: string) => ({ type: 'integer', minimum: 1, description: of })
const only = {
  type: 'string',
  enum: ['files', 'chat'],
  description: 'move the files alone, or the conversation alone; left out: both',
}

export const voiceTools: readonly VoiceTool[] = [
  {
    name: 'go_back',
    description:
      'The Back button: the last turn of the conversation goes, files stay. Also stops the agent while it works, and refuses what it waits for. For a plain "go back".',
  },
  tool('undo', 'Takes the last turns back, files and conversation.', {
    turns: count('how many turns; left out: take back what was last done by voice, else one turn'),
    only,
  }),
  tool('redo', 'Brings undone turns again.', {
    turns: count('how many turns; left out: one'),
    all: { type: 'boolean', description: 'all of them' },
  }),
  tool(
    'rewind',
    'Goes back to a certain turn and keeps everything up to and including it.',
    {
      turn: { type: 'string', description: 'the number of the turn, or the name of a checkpoint' },
      before: { type: 'boolean', description: 'to the moment before its prompt was sent' },
      only,
    },
    ['turn'],
  ),
  tool(
    'switch_branch',
    'Moves to another branch of the session, files and conversation.',
    { branch: { type: 'string', description: 'its name' } },
    ['branch'],
  ),
  tool('checkpoint', 'Gives the turn where the session stands a name to come back to.', {
    name: { type: 'string', description: 'left out: a name is made up' },
  }),
  {
    name: 'status',
    description: 'Where the session stands, what is undone, what waits for an answer.',
  },
  tool(
    'converse',
    'Sends a prompt to the coding agent, word by word as the user means it.',
    { prompt: { type: 'string' } },
    ['prompt'],
  ),
  tool(
    'answer_approval',
    'Answers what waits for a yes or no: a plan that was described, or something that the agent wants to do. Only after the user said yes or no to it.',
    {
      allow: { type: 'boolean' },
      always: { type: 'boolean', description: 'for the rest of the session, agent only' },
      reason: { type: 'string', description: 'why not; the agent hears it' },
    },
    ['allow'],
  ),
]

export const voiceInstruction = `You are the voice of Retake, which undoes and redoes the turns of a
coding agent's session. You have tools for it and know nothing else about the session: never claim
that something was done before a tool said so, and never guess. For a plain "go back" call go_back at
once and say nothing about it. When a tool answers that a plan waits, say in one sentence what it
would do and ask; call answer_approval only after a clear yes or no. What the user wants the agent to
do goes to converse. Answer in the user's language, in one or two short sentences.`

function tool(
  name: VoiceToolName,
  description: string,
  properties: object,
  required: readonly string[] = [],
): VoiceTool {
  return { name, description, parametersJsonSchema: { type: 'object', properties, required } }
}
