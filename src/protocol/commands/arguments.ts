import type { Choice } from '#timeline'

/** A turn's number on the current line, its id or a prefix of it, or the id of any message. */
export type TurnInput = string | number

/** The type of each kind of argument after parsing. */
export interface Kinds {
  count: number
  operation: number
  turn: TurnInput
  branch: string
  branches: string[]
  session: string
  sessions: string[]
  name: string
  files: string[]
  parts: string[]
  'files-or-chat': 'files' | 'chat'
  'on-conflict': 'stop' | Choice
  yes: boolean
}

export interface Argument<Kind extends keyof Kinds = keyof Kinds> {
  readonly kind: Kind
  /** Its help text. */
  readonly says: string
  readonly required?: true
  /** A positional word after the verb, in table order. */
  readonly word?: true
  /** Its name in the help; default: its key. */
  readonly called?: string
  /** In a typed line such as `/branch 3 Another try`, takes the rest of the line. */
  readonly rest?: true
  /** Left out of the one-line usage. */
  readonly rare?: true
  /** In typed lines, this flag takes the value of the named argument: `rewind --before 3`. */
  readonly carries?: string
}

export type Arguments = Readonly<Record<string, Argument>>

type Required<Takes extends Arguments> = {
  [Name in keyof Takes]: Takes[Name] extends { required: true } ? Name : never
}[keyof Takes]

/** The arguments of a verb as an object. */
export type ArgumentValues<Takes extends Arguments> = {
  [Name in Required<Takes>]: Kinds[Takes[Name]['kind']]
} & {
  [Name in Exclude<keyof Takes, Required<Takes>>]?: Kinds[Takes[Name]['kind']] | undefined
}

/** Options of all verbs that move files or the conversation. */
export const moving = {
  only: { kind: 'files-or-chat', says: 'files or chat: only the files, or only the conversation' },
  onConflict: { kind: 'on-conflict', says: 'what to do with files that you changed too' },
  includeUnsure: { kind: 'yes', says: 'also undo changes that may not be the agent’s' },
  confirmed: { kind: 'yes', says: 'continue even if the plan asks a question' },
  expectHead: { kind: 'turn', says: 'refuse if the session is at another turn' },
} as const satisfies Arguments
