import type { Argument } from './commands/arguments.ts'
import { verbOf, type CommandOf } from './commands/command.ts'

/** Verbs that can be spoken: the name of each tool, its help, and its arguments. */
const spoken = {
  back: {
    tool: 'go_back',
    says: 'The Back button: the last turn of the conversation goes, files stay. Also stops the agent while it works, and refuses what it waits for. For a plain "go back".',
    takes: [],
  },
  undo: {
    tool: 'undo',
    says: 'Undoes the last turns, files and conversation. Without a count it undoes what was last done by voice, else one turn.',
    takes: ['count', 'only'],
  },
  redo: { tool: 'redo', says: 'Redoes undone turns.', takes: ['count', 'all'] },
  rewind: {
    tool: 'rewind',
    says: 'Goes back to the end of a turn, by its number or by the name of a checkpoint.',
    takes: ['turn', 'before', 'only'],
  },
  switch: {
    tool: 'switch_branch',
    says: 'Switches to another branch of the session, files and conversation.',
    takes: ['branch'],
  },
  checkpoint: {
    tool: 'checkpoint',
    says: 'Names the turn that the session is at.',
    takes: ['name'],
  },
} as const

export type SpokenVerb = keyof typeof spoken
export type SpokenCommand = { [Verb in SpokenVerb]: CommandOf<Verb> }[SpokenVerb]

/**
 * A call of a voice tool, spoken or typed. The page gives the tools to the speech model, and the
 * server binds its tokens to them, so that a stolen token is good for nothing else.
 */
export type VoiceCall =
  | { readonly tool: (typeof spoken)[SpokenVerb]['tool']; readonly command: SpokenCommand }
  | { readonly tool: 'status' }
  | { readonly tool: 'converse'; readonly prompt: string }
  | {
      readonly tool: 'answer_approval'
      readonly allow: boolean
      readonly always?: boolean
      readonly reason?: string
    }

interface VoiceTool {
  readonly name: VoiceCall['tool']
  readonly description: string
  readonly parametersJsonSchema?: VoiceSchema
}

export interface VoiceSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, VoiceProperty>>
  readonly required: readonly string[]
}

export interface VoiceProperty {
  readonly type: 'integer' | 'string' | 'boolean'
  readonly description?: string
  readonly minimum?: number
  readonly enum?: readonly string[]
}

export const voiceTools: readonly VoiceTool[] = [
  ...(Object.keys(spoken) as SpokenVerb[]).map(toolOf),
  {
    name: 'status',
    description: 'Where the session is, what is undone, what waits for an answer.',
  },
  {
    name: 'converse',
    description: 'Sends a prompt to the coding agent, word by word as the user means it.',
    parametersJsonSchema: {
      type: 'object',
      properties: { prompt: { type: 'string' } },
      required: ['prompt'],
    },
  },
  {
    name: 'answer_approval',
    description:
      'Answers what waits for a yes or no: a plan that was described, or something that the agent wants to do. Only after the user said yes or no to it.',
    parametersJsonSchema: {
      type: 'object',
      properties: {
        allow: { type: 'boolean' },
        always: { type: 'boolean', description: 'for the rest of the session, agent only' },
        reason: { type: 'string', description: 'why not; the agent hears it' },
      },
      required: ['allow'],
    },
  },
]

/** The tool call for a command. */
export function spokenCall(command: SpokenCommand): VoiceCall {
  return { tool: spoken[command.verb].tool, command }
}

/** The verb of a tool; null for tools that are not commands. */
export function spokenVerb(tool: string): SpokenVerb | null {
  const verbs = Object.keys(spoken) as SpokenVerb[]
  return verbs.find((verb) => spoken[verb].tool === tool) ?? null
}

export const voiceInstruction = `You are the voice of Retake, which undoes and redoes the turns of a
coding agent's session. You have tools for it and know nothing else about the session: never claim
that something was done before a tool said so, and never guess. For a plain "go back" call go_back at
once and say nothing about it. When a tool answers that a plan waits, say in one sentence what it
would do and ask; call answer_approval only after a clear yes or no. What the user wants the agent to
do goes to converse. Answer in the user's language, in one or two short sentences.`

function toolOf(verb: SpokenVerb): VoiceTool {
  const { tool: name, says: description, takes } = spoken[verb]
  if (takes.length === 0) return { name, description }
  const { takes: all } = verbOf(verb)
  const properties = Object.fromEntries(takes.map((key) => [key, propertyOf(all[key]!)]))
  const required = takes.filter((key) => all[key]!.required === true)
  return { name, description, parametersJsonSchema: { type: 'object', properties, required } }
}

function propertyOf({ kind, says: description }: Argument): VoiceProperty {
  if (kind === 'count') return { type: 'integer', minimum: 1, description }
  if (kind === 'yes') return { type: 'boolean', description }
  if (kind === 'files-or-chat') return { type: 'string', enum: ['files', 'chat'], description }
  return { type: 'string', description }
}
