import type { Choice } from '#timeline'

/** A turn's number on the current line, its id or the beginning of it, or any message's id. */
export type TurnInput = string | number

/** What each kind of argument is, once it has been read. */
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
  /** Stands behind the verb without a flag, in the order of the table. */
  readonly word?: true
  /** What the help calls it; default: its key. */
  readonly called?: string
  /** In a typed line, such as `/branch 3 Another try`, the rest of the line is it. */
  readonly rest?: true
  /** Left out of the one-line usage. */
  readonly rare?: true
  /** Where words are typed, this flag takes the value of that argument: `rewind --before 3`. */
  readonly carries?: string
}

export type Arguments = Readonly<Record<string, Argument>>

type Required<Takes extends Arguments> = {
  [Name in keyof Takes]: Takes[Name] extends { required: true } ? Name : never
}[keyof Takes]

/** The arguments of a verb as an object. */
export type Given<Takes extends Arguments> = {
  [Name in Required<Takes>]: Kinds[Takes[Name]['kind']]
} & {
  [Name in Exclude<keyof Takes, Required<Takes>>]?: Kinds[Takes[Name]['kind']] | undefined
}

/** How a file or conversation is to be moved. All verbs that move something take these. */
export const moving = {
  only: { kind: 'files-or-chat', says: 'files or chat: only the files, or only the conversation' },
  onConflict: { kind: 'on-conflict', says: 'what to do with files that you changed too' },
  includeUnsure: { kind: 'yes', says: 'also undo changes that may not be the agent’s' },
  confirmed: { kind: 'yes', says: 'go ahead although the plan asks something' },
  expectHead: { kind: 'turn', says: 'refuse if the session is at another turn' },
} as const satisfies Arguments
